import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const MFA_ERRORS = {
  mfa_invalid: {
    status: 401,
    title: 'Verification failed',
    explain:
      'The code or passkey is wrong or was used before, or the account is locked after too many failures. The response is the same in all cases. Each code works once: wait for the next code. The fifth failure ends the challenge. Status 400 at an enrollment, which stays pending; 403 at a reauthentication.',
  },
  mfa_expired: {
    status: 400,
    title: 'This sign-in has expired. Sign in again.',
    explain:
      'The `mfaToken` is unknown or was used, is older than five minutes, or had five failed attempts. Sign in again to get another.',
  },
  passkey_invalid: {
    status: 401,
    title: 'This passkey was not accepted',
    explain:
      'The passkey is unknown, belongs to another site, is a second factor only, did not verify its user where that is required, or signed a challenge that has expired, was used or belongs to another request. Status 400 at an enrollment, 403 at a reauthentication.',
  },
  passkey_exists: {
    status: 409,
    title: 'This passkey is already registered',
    explain: 'A passkey belongs to one account. Create another one, or use it with its account.',
  },
  no_passkey: {
    status: 409,
    title: 'The account has no passkey',
    explain: 'Use a code or the password.',
  },
  mfa_not_enabled: {
    status: 409,
    title: 'No second factor that this session can use',
    explain:
      'Enroll an authenticator app or a passkey first. In a session that is restricted to a team, unrestricted factors do not count.',
  },
  mfa_required_here: {
    status: 409,
    title: 'This instance requires a second factor',
    explain:
      'The request would remove the last factor of the account, and the instance requires one. Enroll another one first. Nothing was changed.',
  },
  factor_not_found: {
    status: 404,
    title: 'Second factor not found',
    explain: 'The account has no second factor with this ID, or its enrollment has expired after an hour.',
  },
  too_many_factors: {
    status: 409,
    title: 'The account has too many second factors',
    explain:
      'The maximum is 20 unrestricted ones and 20 for each team, including pending enrollments. Remove one first.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(MFA_ERRORS)
