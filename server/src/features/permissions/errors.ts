import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const ACCESS_ERRORS = {
  team_sign_in_required: {
    status: 403,
    title: 'Sign in to this team first',
    explain:
      "A team controls this session (through its provider, directory or administrator), so it is restricted to that team: sign in with your own password, passkey or mailed link. Or the session does not meet the team's sign-in policies yet: use `POST /auth/switch-team`. Or it is older than the team allows (`sessionMaxLifetimeDays`): sign in again.",
  },
  role_protected: {
    status: 403,
    title: "You can't assign or manage a role with more permissions than your own",
    explain:
      'Assigning a role, and changing, suspending, removing or resetting a user with it, requires every permission of that role; `detail` contains one that you do not have.',
  },
  session_required: {
    status: 403,
    title: 'Sign in to continue',
    explain:
      'An API token is accepted by routes that require a permission of the team. Routes for an account (profile, sessions, teams) or the instance, and those that require recent authentication, need a session: sign in, and send its access token.',
  },
  password_change_required: {
    status: 403,
    title: 'Change your password first',
    explain:
      'The password is temporary, or older than the team of the request allows. Until it is changed, only me, change-password, logout and refresh are available. If it is too old for one team only, other teams stay accessible, and the user can switch, join, leave and create teams.',
  },
  second_factor_required: {
    status: 403,
    title: 'A second factor is required',
    explain:
      'The account has a second factor, or a policy of the team requires one, and this session has not verified it: use `POST /auth/reauthenticate` with a code or a passkey, and retry. Without a factor, enroll one first. Changes of the account (own profile, password, sessions, devices, memberships) require an unrestricted factor, if the account has one; an unrestricted session can verify it in every team, even in one that has reset it.',
  },
  mfa_enrollment_required: {
    status: 403,
    title: 'Enroll a second factor first',
    explain:
      'The instance or the team requires a second factor, and the grace period, if any, has ended. Until one is enrolled, only me, the enrollment routes, reauthenticate, logout and refresh are available. If only one team requires it, other teams stay accessible, and the user can switch, join, leave and create teams.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(ACCESS_ERRORS)
