import { type ErrorTable, refusals } from '../../platform/app-error.js'

export const CREDENTIAL_ERRORS = {
  password_policy: { status: 400, title: 'The password does not meet the rules' },
  wrong_password: { status: 403, title: 'The current password is wrong' },
} as const satisfies ErrorTable

export const { refuse, refusal } = refusals(CREDENTIAL_ERRORS)
