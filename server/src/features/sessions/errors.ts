import { type ErrorTable, refusals } from '../../platform/app-error.js'

export const SESSION_ERRORS = {
  invalid_refresh_token: { status: 401, title: 'The refresh token is not valid' },
  session_not_found: { status: 404, title: 'No such session' },
  invalid_token: { status: 400, title: 'This link was used already, or its time is over' },
  reauthentication_required: { status: 403, title: 'Prove once more that it is you' },
} as const satisfies ErrorTable

export const { refuse, refusal } = refusals(SESSION_ERRORS)
