import { TOKEN_RETENTION } from './features/access-tokens/index.js'
import { DIRECTORY_RETENTION } from './features/ldap/index.js'
import { LOGO_RETENTION } from './features/logos/index.js'
import { MEMBER_RETENTION } from './features/members/index.js'
import { FACTOR_RETENTION } from './features/mfa/index.js'
import { OIDC_PROVIDER_RETENTION } from './features/oidc-provider/index.js'
import { SAML_KEY_RETENTION } from './features/saml-keys/index.js'
import { SAML_PROVIDER_RETENTION } from './features/saml-provider/index.js'
import { SESSION_RETENTION } from './features/sessions/index.js'
import { SSO_RETENTION } from './features/sso/index.js'
import { TEAM_RETENTION } from './features/teams/index.js'
import { RUN_RETENTION } from './features/user-management/index.js'
import type { RetentionRule } from './platform/db/retention.js'
import { JOB_RETENTION } from './platform/jobs/jobs.js'
import { MAIL_RETENTION } from './platform/mail/mailer.js'
import { THROTTLE_RETENTION } from './platform/throttle/throttle.js'

/** The tables from which hourly jobs delete rows. */
export const RETENTION: RetentionRule[] = [
  ...JOB_RETENTION,
  ...MAIL_RETENTION,
  ...THROTTLE_RETENTION,
  ...TEAM_RETENTION,
  ...MEMBER_RETENTION,
  ...SESSION_RETENTION,
  ...TOKEN_RETENTION,
  ...FACTOR_RETENTION,
  ...RUN_RETENTION,
  ...SAML_KEY_RETENTION,
  ...SSO_RETENTION,
  ...OIDC_PROVIDER_RETENTION,
  ...SAML_PROVIDER_RETENTION,
  ...DIRECTORY_RETENTION,
  ...LOGO_RETENTION,
]

const WITH_TEAM = 'with the team'
const WITH_USER = 'with the account'
const WITH_MEMBERSHIP = 'with the membership'
const WITH_APPLICATION = 'with the application'
const WITH_SESSION = 'with the session'
const NEVER = 'never'

/** The tables without a rule: what their rows are deleted with, or the reason why they stay. A new table has a rule, or is listed here. */
export const WITHOUT_RULE: Record<string, string> = {
  adaptive_users: WITH_USER,
  application_groups: WITH_APPLICATION,
  application_users: WITH_APPLICATION,
  applications: WITH_TEAM,
  audit_archives: 'when the team deletes them, or with the team',
  audit_bases: WITH_TEAM,
  audit_checkpoint_heads: NEVER,
  audit_checkpoints: NEVER,
  audit_daily: 'with the entries that they count',
  audit_entries:
    'moved into an archive after the retention of the log, if it has one; otherwise with the team, and those of the instance never',
  audit_erasures: 'when the erasure takes effect, 90 days after the deletion of the account',
  audit_keys: `${NEVER}: erasure destroys the key, and the row prevents a new one`,
  audit_pending: 'within seconds, when the entry is sealed',
  audit_retention: WITH_TEAM,
  audit_removals: `${NEVER}: they prove the deletion of the log of a deleted team`,
  audit_seals: 'like audit_entries',
  backup_codes: 'with the set of codes',
  blocked_teams: WITH_USER,
  consents: WITH_APPLICATION,
  directories: WITH_TEAM,
  directory_entries: 'with the directory, or when the entry is no longer in it',
  directory_members: 'with the entry',
  external_identities: 'with the provider or the account',
  group_members: 'with the group or the membership',
  groups: WITH_TEAM,
  instance_settings: `${NEVER}: one row`,
  joint_setters: WITH_TEAM,
  memberships: 'when the user leaves or is removed',
  oidc_claims: WITH_APPLICATION,
  oidc_regex_rules: WITH_APPLICATION,
  oidc_scopes: WITH_APPLICATION,
  oidc_token_policies: WITH_APPLICATION,
  organizations: 'when the team is deleted',
  passkeys: 'with the factor',
  password_history: 'beyond the number of the password policy',
  password_policies: WITH_TEAM,
  passwords: WITH_USER,
  policies: WITH_TEAM,
  removed_members: 'with the team: the user must not return by a link from before the removal',
  saml_further_names: 'with the sessions of the application',
  saml_name_ids: 'with the application or the account: a user must never get the identifier of another',
  saml_sessions: 'with the session, and at sign-out',
  scim_groups: 'with the group',
  scim_requests: 'beyond the last requests of the team',
  scim_users: WITH_MEMBERSHIP,
  server_keys: 'a day after a newer key signs; permanent ones never',
  sign_in_editors: WITH_TEAM,
  signing_key_sets: 'with the team or the application',
  signing_keys: 'when they are no longer published',
  sso_providers: WITH_TEAM,
  sso_sessions: WITH_SESSION,
  team_domains: WITH_TEAM,
  team_passwords: WITH_MEMBERSHIP,
  team_seats: WITH_TEAM,
  temporary_setters: WITH_MEMBERSHIP,
  totp_secrets: 'with the factor',
  users: '14 days after the user requests it',
}
