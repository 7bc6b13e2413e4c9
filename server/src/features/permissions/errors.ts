import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const ACCESS_ERRORS = {
  team_sign_in_required: {
    status: 403,
    title: 'Sign in to this team first',
    explain:
      "There are three causes. The session is restricted to another team, because that team's provider, directory or administrator controls it: sign in with your own password, passkey or mailed link. The session does not meet the sign-in policies of this team: use `POST /auth/switch-team`. The session is older than this team allows (`sessionMaxLifetimeDays`): sign in again.",
  },
  role_protected: {
    status: 403,
    title: "You can't assign or manage a role with more permissions than your own",
    explain:
      'To assign a role, or to update, suspend, remove or reset a user who has it, you need every permission of that role. `detail` names a permission that you do not have.',
  },
  session_required: {
    status: 403,
    title: 'Sign in to continue',
    explain:
      'API tokens are accepted only by routes that require a permission of the team. Routes for the account (profile, sessions, teams) or the instance, and routes that require recent authentication, need a session: sign in and send its access token.',
  },
  password_change_required: {
    status: 403,
    title: 'Change your password first',
    explain:
      'The password is temporary, too old for the team of the request, or did not meet the policy of that team when it was set. Until it is changed, only `me`, `change-password`, `logout` and `refresh` are available. If the reason applies to one team only, you can still use other teams, and switch, join, leave and create teams.',
  },
  second_factor_required: {
    status: 403,
    title: 'A second factor is required',
    explain:
      'The account has a second factor, or a policy of the team requires one, and this session has not verified it: use `POST /auth/reauthenticate` with a code or a passkey, and retry. If the account has no factor, enroll one first. If the account has an unrestricted factor, changes of the account (own profile, password, sessions, devices, memberships) require it. An unrestricted session can verify it in every team, even in a team that has reset the factors of the user.',
  },
  mfa_enrollment_required: {
    status: 403,
    title: 'Enroll a second factor first',
    explain:
      'The instance or the team requires a second factor, and any grace period has ended. Until you enroll one, only `me`, the enrollment routes, `reauthenticate`, `logout` and `refresh` are available. If only one team requires it, you can still use other teams, and switch, join, leave and create teams.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(ACCESS_ERRORS)
