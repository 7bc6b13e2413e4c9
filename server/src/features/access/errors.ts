import { type ErrorTable, refusals } from '../../platform/app-error.js'

export const ACCESS_ERRORS = {
  team_sign_in_required: { status: 403, title: 'Sign in to that team first' },
  password_change_required: { status: 403, title: 'Change your password first' },
  mfa_enrollment_required: { status: 403, title: 'Add a second factor first' },
} as const satisfies ErrorTable

export const { refuse, refusal } = refusals(ACCESS_ERRORS)
