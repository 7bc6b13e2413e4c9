import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const ACCESS_ERRORS = {
  team_sign_in_required: {
    status: 403,
    title: 'Sign in to that team first',
    explain:
      'This session was opened by what one team controls (its provider, directory or administrator) and opens nothing beyond that team: sign in with your own password, passkey or mailed link. Or the team has rules of sign-in that this session has not met yet: `POST /auth/switch-team` asks them. Or the session is older than the team allows (`sessionMaxLifetimeDays`): sign in again.',
  },
  role_protected: {
    status: 403,
    title: 'This role may do more than you',
    explain:
      'A role is granted, and whoever has it is changed, suspended, removed or reset, only by somebody who holds every permission of that role; `detail` names one that you do not.',
  },
  session_required: {
    status: 403,
    title: 'This wants a person who is signed in',
    explain:
      'An API token opens the routes that need a permission of the team. What belongs to a person (account, sessions, teams), to the instance, or asks for a recent proof is done in a session: sign in, and send the access token of the session.',
  },
  password_change_required: {
    status: 403,
    title: 'Change your password first',
    explain:
      'The password is temporary, or older than the team of the request allows. Until it is changed only me, change-password, logout and refresh answer; where it is too old for one team, other teams stay open, and the user can switch, join, leave and create teams.',
  },
  second_factor_required: {
    status: 403,
    title: 'This wants a second factor',
    explain:
      'The account has a second factor, or a policy of the team asks for one, and this session has not proven it: `POST /auth/reauthenticate` with a code or a passkey, then repeat it. Who has none enrols one first. What belongs to the account (own profile, password, sessions, devices, memberships) needs an unrestricted factor, if the account has one; an unrestricted session can prove it in every team, also in one that has reset it.',
  },
  mfa_enrollment_required: {
    status: 403,
    title: 'Add a second factor first',
    explain:
      'The instance or the team asks for a second factor and your grace, if there was one, is over. Until one is enrolled only me, the routes that enrol one, reauthenticate, logout and refresh answer; where one team requires it, other teams stay open, and the user can switch, join, leave and create teams.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(ACCESS_ERRORS)
