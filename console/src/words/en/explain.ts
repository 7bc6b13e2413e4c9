import type { Problem } from '../../api/problem'

/** What a refusal means to whoever reads it, and what to do about it. By the service's stable codes. */
const byCode: Record<string, string> = {
  unreachable: 'The service cannot be reached. Check your connection and try again.',
  unexpected: 'Something went wrong on our side. Try again; if it stays, tell your administrator.',
  session_ended: 'Your session has ended. Sign in again to go on.',
  // One sentence for every cause, so that it tells nobody which addresses exist.
  invalid_credentials: 'The email or password is incorrect.',
  not_a_member: 'You are not a member of this team. Ask its administrator to invite you.',
  rate_limited: 'Too many attempts. Wait a moment and try again.',
  email_taken: 'There is already an account with this address.',
  password_policy: 'This password does not follow the rules. Choose another one.',
  sign_up_not_allowed: 'Accounts cannot be created with this address here. Ask your administrator for an invitation.',
  invalid_token: 'This link was used before or has expired.',
  wrong_password: 'That is not your current password.',
  wrong_account: 'This link belongs to another account than the one you are signed in with.',
  reauthentication_required: 'Confirm that it is you to go on.',
  team_sign_in_required: 'This team wants you to sign in by its own way. Sign out and sign in through your team.',
  sign_in_denied: 'The rules of your team do not let you in from here or now. Ask one of its administrators.',
  sso_provider_changed: 'An administrator changed this way of signing in meanwhile. Sign in once more.',
  sso_provider_disabled: 'This way of signing in was switched off meanwhile. Ask an administrator of your team.',
  sso_provider_orphaned:
    'This way of signing in is out of order. An administrator of your team has to save its settings once more.',
  sso_provider_busy: 'Somebody else is changing this provider. Nothing was saved: look at it, and save once more.',
  second_factor_required: 'This needs a second factor of your account. Sign in again and use one.',
  mfa_invalid: 'That code is not right, or it was used already. Wait for the next one and try again.',
  mfa_expired: 'This sign-in is over. Sign in once more.',
  passkey_invalid: 'This passkey was not accepted. Try another one, or go on in another way.',
  passkey_exists: 'This device has a passkey of your account already.',
  passkey_failed: 'This browser cannot use passkeys here. Go on in another way.',
  no_passkey: 'This account has no passkey. Go on in another way.',
  too_many_factors: 'You have as many of these as an account can have. Remove one first.',
  factor_not_found: 'This has been removed already. Load the page again.',
  mfa_required_here:
    'A second factor is asked of everybody here, so the last one cannot be removed. Add another one first.',
  mfa_not_enabled: 'Two-step sign-in is off already. Load the page again.',
  device_not_found: 'This device has been forgotten already.',
  session_not_found: 'This session has already ended.',
  setup_secret_required: 'The setup secret is wrong. It is the value of SETUP_SECRET in the service’s configuration.',
  already_onboarded: 'This service is already set up.',
  account_suspended: 'This account is suspended. Ask an administrator of your team.',
  team_suspended: 'This team is suspended. Ask one of its owners.',
  password_change_required: 'Choose a new password first.',
  mfa_enrollment_required: 'A second factor is asked of you here, and has to be set up first.',
  forbidden: 'Your role in this team does not allow this. Ask one of its administrators.',
  limit_reached: 'The limit is reached. Ask an administrator to raise it.',
  organization_not_found: 'There is no such team, or you are not a member of it.',
  foreign_origin: 'This page was opened under another address than the service is configured for.',
  unavailable: 'The service is busy or starting. Try again in a moment.',
  device_code_not_found:
    'This code is wrong or has expired, or it was answered already. Look at your device: it shows a new one after a while.',
  interaction_not_found: 'This sign-in is over. Open the application and sign in from there once more.',
  application_access_denied: 'You may not use this application. Ask an administrator of its team.',
  application_not_found: 'There is no such application in this team.',
  wrong_browser: 'This was started in another browser. Go on there.',
  not_followable: 'The address that the application wants you to return to cannot be opened from here.',
  scope_exists: 'The application has a scope of this name already.',
  claim_exists: 'One of the chosen tokens has a claim of this name already.',
  rule_in_use: 'A claim uses this rule. Take it from the claim first.',
  kid_exists: 'There is a key of this name already.',
  key_retired: 'This key signs nothing any more and cannot come back. Make another one.',
  saml_key_not_found: 'This key has ended already. Load the page again.',
  saml_key_waits: 'A next key is there already. Load the page again.',
  saml_key_not_waiting: 'This key does not wait any more. Load the page again.',
  saml_key_signs: 'This key signs. Make the next one and let it sign first.',
  sso_provider_not_found: 'There is no such sign-in provider any more. Load the page again.',
  sso_run_not_found: 'There is no such test any more. Begin another one.',
  directory_not_found: 'This team has no directory any more. Load the page again.',
  directory_disabled: 'The directory is switched off. Turn it on first.',
  directory_password_expired:
    'Your directory password has expired or must be changed. Change it in the directory, for example on a computer of your organization, then sign in with the new one.',
  directory_orphaned:
    'Whoever saved the settings of the directory last may not write them any more. Save them once more: it acts by your rights then.',
  directory_run_not_found: 'There is no such sync any more. Load the page again.',
  directory_run_finished: 'This sync is over already. What it did stays.',
  stale_version: 'Another administrator changed this meanwhile. Review the present state, then save again.',
  slug_taken: 'Another team has this address already. Choose another one.',
}

export function explain(problem: Problem): string {
  const known = byCode[problem.code]
  if (known) return known
  if (problem.status >= 500) return byCode.unexpected as string
  return problem.message
}
