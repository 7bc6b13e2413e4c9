import { type ErrorTable, refusals } from '../../platform/app-error.js'

export const ACCOUNT_ERRORS = {
  invalid_credentials: { status: 401, title: 'The e-mail address or the password is wrong' },
  account_suspended: { status: 403, title: 'This account is suspended' },
  email_taken: { status: 409, title: 'This e-mail address has an account already' },
  sign_up_not_allowed: { status: 403, title: 'Addresses of this domain may not sign up here' },
  wrong_account: { status: 403, title: 'This link belongs to another account' },
  already_onboarded: { status: 409, title: 'This instance is set up already' },
  setup_secret_required: { status: 403, title: 'The setup secret is missing or wrong' },
} as const satisfies ErrorTable

export const { refuse, refusal } = refusals(ACCOUNT_ERRORS)
