import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const MFA_ERRORS = {
  mfa_invalid: {
    status: 401,
    title: 'This does not prove that it is you',
    explain:
      'The code or passkey is wrong, was used before, or the account is locked after too many failures; the answer is the same for all. A code answers one challenge: wait for the next one. The fifth wrong answer ends the challenge. 400 at an enrolment, which waits on; 403 where somebody who is signed in proves themselves.',
  },
  mfa_expired: {
    status: 400,
    title: 'This sign-in is over; begin again',
    explain:
      'The `mfaToken` is unknown, was used, is older than five minutes, or was answered wrongly five times. Sign in again to get another.',
  },
  passkey_invalid: {
    status: 401,
    title: 'This passkey does not open anything here',
    explain:
      'The passkey is unknown, was made for another site, signs in only as a second factor, did not verify its user where that is wanted, or answered a challenge that is over, was used or was not made for it. 400 at an enrolment, 403 where somebody who is signed in proves themselves.',
  },
  passkey_exists: {
    status: 409,
    title: 'This passkey is registered already',
    explain: 'A passkey belongs to one account. Make another one, or use it where it is registered.',
  },
  no_passkey: {
    status: 409,
    title: 'There is no passkey to ask for',
    explain: 'The account has no passkey. Use a code, or the password.',
  },
  mfa_not_enabled: {
    status: 409,
    title: 'There is no second factor',
    explain: 'The account has no second factor yet: enrol an authenticator app or a passkey first.',
  },
  mfa_required_here: {
    status: 409,
    title: 'A second factor is required here',
    explain:
      'The instance asks everybody for a second factor, and this would take away the last one. Enrol another one first. Nothing was changed.',
  },
  factor_not_found: {
    status: 404,
    title: 'No such second factor',
    explain: 'The account has no second factor with this id, or its enrolment waited for more than an hour.',
  },
  too_many_factors: {
    status: 409,
    title: 'The account has too many second factors',
    explain: 'An account has at most 20, enrolments that wait among them. Remove one first.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(MFA_ERRORS)
