import { type ErrorTable, refusals } from '../../platform/app-error.js'

export const MEMBER_ERRORS = {
  not_a_member: { status: 403, title: 'You are not a member of this team' },
} as const satisfies ErrorTable

export const { refuse, refusal } = refusals(MEMBER_ERRORS)
