import { type AppError, type ErrorTable, rejections } from '../../platform/app-error.js'
import { mfaError } from '../mfa/index.js'

export const ACCOUNT_ERRORS = {
  invalid_credentials: {
    status: 401,
    title: 'The e-mail address or the password is wrong',
    explain:
      'The address is unknown, the password is wrong, the account has none, or it is locked after too many failures; the answer is the same for all.',
  },
  account_suspended: {
    status: 403,
    title: 'This account is suspended',
    explain: 'The proof was right, and an administrator has suspended the account.',
  },
  email_taken: {
    status: 409,
    title: 'This e-mail address has an account already',
    explain: 'Sign in, or ask for a link by mail.',
  },
  account_exists: {
    status: 409,
    title: 'This address has an account already',
    explain: 'Sign in as that address, by whatever means, and accept the invitation then. It stays usable.',
  },
  sign_in_denied: {
    status: 403,
    title: 'A rule of the team does not let you sign in like this',
    explain:
      'The proof was right, and a policy of the team refuses the sign-in: by its place, time, network or something else that it asks for. Sign in to another team, or ask an administrator of this one.',
  },
  sign_up_not_allowed: {
    status: 403,
    title: 'Addresses of this domain may not sign up here',
    explain: 'The instance lets only addresses of listed domains sign up.',
  },
  wrong_account: {
    status: 403,
    title: 'This link belongs to another account',
    explain: 'You are signed in as somebody else than the link was sent to. The link stays usable.',
  },
  already_onboarded: {
    status: 409,
    title: 'This instance is set up already',
    explain: 'Onboarding works once. Sign in, or ask for a link by mail.',
  },
  setup_secret_required: {
    status: 403,
    title: 'The setup secret is missing or wrong',
    explain: 'SETUP_SECRET is set: send it in `x-setup-secret`.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(ACCOUNT_ERRORS)

/** The one answer to a password that does not open, whatever the reason. */
export const wrongCredentials = (): AppError =>
  rejection('invalid_credentials', { headers: { 'www-authenticate': 'Bearer realm="keyward"' } })

/** The one answer to a second factor that does not open, whatever the reason. */
export const wrongFactor = (): AppError =>
  mfaError('mfa_invalid', { headers: { 'www-authenticate': 'Bearer realm="keyward"' } })

/** The one answer to a passkey that does not sign in, whatever the reason. */
export const wrongPasskey = (): AppError =>
  mfaError('passkey_invalid', { headers: { 'www-authenticate': 'Bearer realm="keyward"' } })
