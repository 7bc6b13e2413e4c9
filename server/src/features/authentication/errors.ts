import { type AppError, type ErrorTable, rejections } from '../../platform/app-error.js'
import { rejection as platformError } from '../../platform/errors.js'
import { mfaError } from '../mfa/index.js'

export const ACCOUNT_ERRORS = {
  invalid_credentials: {
    status: 401,
    title: 'Wrong email address or password',
    explain:
      'The email address is unknown, the password is wrong, the account has no password, or it is locked after too many failures. The response is the same in all cases.',
  },
  account_suspended: {
    status: 403,
    title: 'This account is suspended',
    explain: 'The credentials were correct, and an administrator has suspended the account.',
  },
  directory_password_expired: {
    status: 403,
    title: 'The directory password has expired or must be changed',
    explain:
      "The password is correct, but the team's Active Directory accepts it only after the user has changed it there, for example on a computer of the domain.",
  },
  email_taken: {
    status: 409,
    title: 'This email address already has an account',
    explain: 'Sign in, or request a sign-in link by mail.',
  },
  account_exists: {
    status: 409,
    title: 'This email address already has an account',
    explain: 'Sign in to that account and accept the invitation again. The invitation stays valid.',
  },
  email_not_verified: {
    status: 403,
    title: 'Verify your email address first',
    explain:
      'Teams have added this email address, and its owner has not verified it. Until then, the account cannot be deleted with its password, because another person may have registered the address.',
  },
  sign_in_denied: {
    status: 403,
    title: 'A policy of the team denies this sign-in',
    explain:
      'The credentials were correct, and a policy of the team denies the sign-in, for example because of its country, time or network. Sign in to another team, or ask an administrator of this one.',
  },
  sign_up_not_allowed: {
    status: 403,
    title: 'Email addresses of this domain cannot sign up here',
    explain: 'The instance accepts registrations only from listed domains.',
  },
  wrong_account: {
    status: 403,
    title: 'This link belongs to another account',
    explain: 'The link was sent to another account than the one you are signed in to. The link stays valid.',
  },
  last_owner_of_teams: {
    status: 409,
    title: 'You are the last owner of a team with other members',
    explain:
      'Without you, no member could administer the team. Make another member an owner, or delete the team. `teams` has the ID and name of each team.',
  },
  already_onboarded: {
    status: 409,
    title: 'This instance is already set up',
    explain: 'Onboarding works once. Sign in, or request a sign-in link by mail.',
  },
  setup_secret_required: {
    status: 403,
    title: 'The setup secret is missing or wrong',
    explain: 'SETUP_SECRET is set: send it in the header `x-setup-secret`.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(ACCOUNT_ERRORS)

const UNAUTHORIZED = { headers: { 'www-authenticate': 'Bearer realm="keyward"' } }

/** The same error for every rejected password, so that the response does not reveal the reason. */
export const wrongCredentials = (): AppError => rejection('invalid_credentials', UNAUTHORIZED)

/** The same error for every rejected second factor. */
export const wrongFactor = (): AppError => mfaError('mfa_invalid', UNAUTHORIZED)

/** The same error for every rejected passkey sign-in. */
export const wrongPasskey = (): AppError => mfaError('passkey_invalid', UNAUTHORIZED)

/** Returns a field that is required in this case. @throws invalid_request */
export function requireField(value: string | undefined, path: string, detail: string): string {
  if (value !== undefined) return value
  throw platformError('invalid_request', { detail, errors: [{ path, message: 'is required' }] })
}
