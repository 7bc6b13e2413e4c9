/**
 * Every action of the audit log, as `resource.verb`, with its meaning. The reference page of audit events is generated from this list,
 * and an unlisted action does not compile.
 */
export const AUDIT_ACTIONS = {
  'access.denied': 'A request was denied with 403 (result DENIED)',
  'instance.onboarded':
    'The first super-admin of the instance was appointed; `metadata.method` is `setup_link` if the setup link printed at startup was used, and `command_line` if the operator did it with `keyward admin create`',
  'instance.setup_link_created':
    'The service printed a setup link at startup, or the operator created one with `keyward admin link`; it replaces any earlier link',
  'instance.admin_appointed':
    'The operator appointed a further administrator of the instance with `keyward admin create`',
  'instance.admin_link_created':
    'The operator created a sign-in link for an administrator of the instance with `keyward admin link`',
  'instance.keys_rotated':
    'The operator replaced keys of the service with `keyward keys rotate`; `metadata.keys` is `encryption` or `signing`',
  'mail.read':
    'An administrator of the instance read a mail in the outbox of a local instance; `metadata` contains its kind and recipient. Recorded in the log of the instance',
  'instance.updated': 'The settings of the instance were changed',
  'organization.created': 'A team was created',
  'organization.updated': 'A team was changed; `metadata.changed` names the fields',
  'organization.suspended': 'A team was suspended: only its owners and super-admins have access',
  'organization.reactivated': 'A suspended team was reactivated',
  'organization.secrets_ended':
    "The account's email address was verified for the first time. Secrets of this team that an earlier user of the account may know were revoked",
  'organization.deleted': 'A team was deleted with all its data',
  'organization.audit_removed':
    'The entries of a deleted team were removed; `metadata` contains their number and the last hash of their chain',
  'audit.archive_deleted':
    'An archive of removed audit entries was deleted; `metadata` contains the number of its entries and its seals',
  'audit.archived':
    'Audit entries older than the retention were moved into an archive; `metadata` contains their number and their seals',
  'audit.entries_removed':
    'Retention removed entries from a log, whose target is named; `metadata` contains the last removed seal, its hash, and the number of all removed entries. Recorded in the log of the instance by the database',
  'audit.retention_changed':
    'The retention of the audit log was changed; `metadata` contains the days before and after, or null for unlimited',
  'audit.exported':
    'Audit entries were exported; `metadata` contains the format and the filter. Without a user, the operator used `keyward audit export`; `metadata.entry` is the exported entry of a proof',
  'member.added': 'A user became a member of a team',
  'password_policy.created': 'The password policy of a team was created with its effective values at the first request',
  'password_policy.updated':
    'The password policy of a team was changed; `metadata` contains the fields with their values before and after',
  'member.removed':
    'A user was removed from a team, or left it (`metadata.left`); `metadata` counts what was revoked with the membership: sessions, tokens, and the providers and directories that used the permissions of the user',
  'group.created': 'A group was created',
  'group.updated': 'A group was changed; `metadata.changed` names the fields',
  'group.deleted': 'A group was deleted with its memberships and application assignments',
  'group.members_replaced': 'The members of a group were replaced',
  'group.applications_replaced': 'The applications of a group were replaced',
  'user.groups_replaced': 'The groups of a user were replaced',
  'user.applications_replaced': 'The applications of a user were replaced',
  'member.joined': 'A user joined a team that accepts the domain of their email address',
  'member.confirmed': 'A user confirmed a membership that the team had added',
  'user.team_blocked':
    'A user blocked a team, which can no longer send them mails. Recorded only in the log of the instance',
  'user.team_unblocked': 'A user unblocked a team',
  'member.invited': 'A user was invited to a team by mail; `metadata.replaced` is the previous invitation',
  'organization.owner_missing':
    'The last owner of a team disowned the account, and no administrator of the team could become the owner. Recorded in the log of the instance',
  'organization.owner_appointed':
    'An administrator of the instance appointed the owner of a team without one; `metadata.user` is the owner. Recorded in the log of the instance',
  'member.role_changed': 'The role of a member was changed; `metadata` contains from and to',
  'invitation.resent': 'An invitation was sent again with a new link',
  'invitation.revoked': 'An invitation was revoked',
  'invitation.accepted': 'An invitation was accepted by the owner of the email address',
  'application.created': 'An application was created',
  'application.registration_refused':
    'A client registration, or a request to manage one, was rejected because of a wrong token; `metadata` names the token',
  'application.updated':
    'An application was changed; `metadata.changed` names the fields (`metadata.by` registration_token: by the client; registrationTokenTakenOver: the actor became the creator of the registration access token)',
  'application.deleted':
    'An application was deleted with all its codes, tokens and grants (`metadata.by` registration_token: by the client)',
  'application.secret_rotated':
    'The secret of an application was rotated; the previous secret and the tokens issued with it are revoked, or valid until `metadata.previousSecretExpiresAt`',
  'application.stopped': 'An application was stopped: its tokens are revoked and it receives no new ones',
  'application.started': 'A stopped application was started and can request tokens again',
  'application.previous_secret_ended':
    'The previous secret of an application was revoked before its expiry, with the tokens of the application itself',
  'application.registration_token_ended':
    'The registration access token of a client was revoked: only administrators can change the client',
  'application.registered':
    'A client was registered by OAuth dynamic registration; `metadata.by` is api_token or instance_token',
  'application.users_assigned': 'The users of an application were replaced',
  'application.groups_assigned': 'The groups of an application were replaced',
  'directory.created': 'The LDAP directory of a team was configured for the first time; `metadata` contains its URL',
  'directory.updated': 'The LDAP directory of a team was changed; `metadata.changed` names the fields',
  'directory.deleted': 'The LDAP directory of a team was deleted; its users and groups remain',
  'directory.tested': 'The LDAP directory was tested; `metadata.failed` names the failed checks',
  'directory.sync_started': 'A sync of the LDAP directory was started manually; `metadata` contains the run',
  'directory.synced':
    'A sync of the LDAP directory ended; `metadata` contains its status (completed, failed, cancelled) and its changes',
  'policy.created': 'A policy was created',
  'policy.updated': 'A policy was changed; `metadata.changed` names the fields',
  'policy.deleted': 'A policy was deleted',
  'policy.evaluated':
    'An access decision was requested: SUCCESS for ALLOW, DENIED for DENY. userId is the caller, agentId the agent and resource the user of the request; `metadata` contains the request, the decision and the deciding policy (`metadata.draft`: a test of an unsaved policy)',
  'policy.replayed': 'Past decisions were replayed with an unsaved policy to see the differences',
  'users.imported':
    'An import of users started (`metadata.status` is started) or ended, with its counts; FAILURE if the user who started it lost the permission, or after an internal error',
  'user.updated': "The team's profile of a user was changed; `metadata.changed` names the fields",
  'user.created': 'An account was created',
  'user.activated': 'A user of a team was activated by an administrator or a directory',
  'user.suspended':
    'A user was suspended in a team; `metadata` counts what was revoked: sessions, tokens, and the providers and directories that used the permissions of the user. With `metadata.reason` leave_date, the leave date was reached; FAILURE if the user stays active, because `metadata.code` is last_admin, or role_protected if the user has more permissions than the administrator who set the date had then and still has',
  'user.locked_down':
    'The credentials of a user in a team were revoked, because a third party may have them; `metadata` contains the number of each kind',
  'users.bulk_changed':
    'A bulk change of users started (`metadata.status` is started) or ended, with its action and counts; FAILURE if the user who started it lost the permission, or after an internal error',
  'user.password_given':
    "An administrator set a temporary password; the user's sessions and API tokens in the team were revoked",
  'user.temporary_credentials_ended':
    'Credentials that were created in sessions of a temporary password, a provider or a directory were revoked. The cause is a password reset by mail, or a permission of the user that another member does not have: the member who set the password, or who last edited the provider or directory',
  'user.sessions_ended':
    'An administrator revoked the sessions of a user in a team; in the log of the instance, the operator revoked all sessions of the account with `keyward user sessions end`',
  'user.deleted': 'An account was deleted',
  'user.deletion_requested':
    'A user requested the deletion of their account; `metadata.scheduledAt` is the time from which it takes effect. Recorded in the log of the instance',
  'user.deletion_cancelled':
    'A user signed in and thereby cancelled the requested deletion of their account. Recorded in the log of the instance',
  'user.deletion_postponed':
    'The deletion of an account was postponed, because the user had become the last owner of teams with other members; `metadata.teams` contains their IDs. Recorded in the log of the instance',
  'user.data_exported': 'A user exported the data of their account',
  'user.login':
    'A sign-in; FAILURE if it was rejected. `metadata` contains its method, its risk (reasons, and riskScore), whether a factor was required, and restricted if the session is limited to the team. `metadata.signature` has the reason of a rejected signature, and for SAML its algorithm',
  'user.logout':
    'A user signed out of a session; FAILURE if the LogoutRequest of a SAML application was rejected, with `metadata.failed` (the checks) and `metadata.signature` (algorithm and reason)',
  'user.locked': 'The account was locked temporarily after too many failed sign-ins',
  'user.link_requested': 'A mailed link was requested and sent; `metadata.kind` is its kind',
  'user.email_verified': 'The email address of an account was verified',
  'user.email_changed':
    'The email address of an account was changed by its user, or by a directory of the home team or of the team that inserted the account; `metadata` contains both addresses',
  'user.personal_data_erased':
    'The database destroyed the key of a deleted user, and with it the personal data of the user in all audit entries. Recorded in the log of the instance',
  'user.profile_changed': 'A user changed their own profile; `metadata.changed` names the fields',
  'user.reclaimed':
    'The owner of an email address verified it for an account without a verified address. Its password, factors, sessions, grants, known devices and API tokens were removed. Its invitations were revoked, and its imports were cancelled. Memberships in teams in which a third party may have credentials became unconfirmed. With `metadata.keptSession`, a session of the account itself verified the address and kept its credentials',
  'user.disowned':
    'The owner of an email address stated that they did not create the account. The account was deleted, unless other teams had added it',
  'user.password_set': 'A password was set for an account without one',
  'user.password_changed': 'A user changed their password; FAILURE if the current password was wrong',
  'user.password_reset': 'A password was reset with a mailed link',
  'user.challenged':
    'A second factor is required after the first factor; `metadata.secondFactor` is the reason. `metadata` contains the risk of the sign-in (reasons, and riskScore)',
  'user.challenge_failed': 'Verification of a factor failed; `metadata.reason` is wrong, locked or expired',
  'user.mfa_disabled': 'A user removed all their factors; FAILURE if the password was wrong',
  'user.factors_reset':
    'An administrator reset the factors of a member in this team only; in the log of the instance, the operator removed all factors of the account with `keyward user reset-mfa`',
  'user.adaptive_mfa_changed': 'A user chose whether a factor is required at each sign-in or only at unusual ones',
  'user.device_forgotten': 'A user removed a known device',
  'factor.enrollment_started': 'A user started the enrollment of an authenticator app',
  'factor.enrolled': 'A factor was enrolled; FAILURE if its code or passkey was wrong',
  'factor.renamed': 'A factor was renamed; `metadata` contains both names',
  'factor.removed': 'A user removed one of their factors',
  'factor.backup_codes_renewed': 'A user generated new backup codes; the previous ones are revoked',
  'factor.clone_suspected':
    'The signature counter of a passkey did not increase, which indicates a cloned authenticator; the sign-in was rejected (result DENIED)',
  'user.reauthenticated': 'A signed-in user verified their identity again; FAILURE if the credential was wrong',
  'session.team_switched': 'A session switched to another team of its user',
  'session.ended': 'A session was revoked in the list of sessions',
  'session.others_ended': 'A user revoked all their other sessions',
  'api_token.created': 'An API token was created; `metadata` contains its name, prefix, scopes and expiry',
  'api_token.revoked': 'An API token was revoked; `metadata` contains its name and prefix',
  'scim_token.created': 'A SCIM token was created; `metadata` contains its name, prefix and expiry',
  'scim_token.revoked': 'A SCIM token was revoked; `metadata` contains its name and prefix',
  'domain.added': 'An email domain was added to a team',
  'domain.proven': 'An email domain of a team was verified by its DNS record',
  'domain.lost':
    'An email domain of a team is no longer verified: its DNS record is missing (for seven days, or at a manual check), or another team has verified it since',
  'domain.removed': 'An email domain was removed from a team',
  'sso_provider.created': 'A provider was created',
  'sso_provider.updated':
    'A provider was changed; `metadata.changed` names the fields, identitiesForgotten is the number of identities that were removed with the previous issuer, and sessionsEnded the number of sessions that were revoked because the provider was disabled or its issuer changed; `metadata.by` is `metadata` if the change came from the metadata of the provider',
  'sso_provider.tested':
    'A provider was tested, or a test sign-in was started (`metadata.runId`); FAILURE if a check failed, and `metadata.failed` names the checks',
  'sso_provider.deleted':
    'A provider was deleted with its identities; `metadata.sessionsEnded` is the number of revoked sessions',
  'sso_identity.linked':
    'A provider asserted an identity for the first time; `metadata` contains the provider, and `metadata.by` is `email` if the account was found by its email address, or `created`',
  'sso_identity.signed_out':
    'A provider reported the sign-out of a user: the sessions that it had created were revoked, and so were sign-ins that waited for a factor; `metadata` contains the provider, the number of sessions (`sessions`) and of these sign-ins (`waiting`). FAILURE if its LogoutRequest was rejected, with `metadata.failed` (the checks) and `metadata.signature` (algorithm and reason)',
  'signing_key.created': 'A signing key was generated or imported (`metadata.imported`)',
  'signing_key.updated': 'The use of a signing key of an application was changed; `metadata.changed` names the fields',
  'signing_key.rotated':
    "The team's signing key was rotated; `metadata` names the keys. The old key stays in the JWKS until `metadata.publishedUntil`; without it, all previous keys were removed",
  'signing_key.retired': 'A signing key was retired; it stays in the JWKS until `metadata.publishedUntil`',
  'signing_key.removed': 'A signing key was removed at once: its tokens are no longer valid',
  'saml_key.created': 'The first SAML key of an application or a team was generated when it was needed',
  'saml_key.prepared': 'The next SAML key of an application or a team was generated: its certificate is published',
  'saml_key.activated':
    'The next SAML key was activated; `metadata` names the previous one and the time until which it is published',
  'saml_key.ended': 'A SAML key that did not sign was removed: it is no longer published',
  'oidc_scope.created': 'A scope of an application was created',
  'oidc_scope.updated': 'A scope of an application was changed; `metadata.changed` names the fields',
  'oidc_scope.deleted': 'A scope of an application was deleted',
  'oidc_claim.created': 'A claim was added to the tokens of an application',
  'oidc_claim.updated': 'A claim in the tokens of an application was changed; `metadata.changed` names the fields',
  'oidc_claim.deleted': 'A claim was removed from the tokens of an application',
  'regex_rule.created': 'A rule that transforms claim values was created',
  'regex_rule.updated': 'A rule that transforms claim values was changed; `metadata.changed` names the fields',
  'regex_rule.deleted': 'A rule that transforms claim values was deleted',
  'token_policy.updated':
    'The token lifetimes of an application were changed; `metadata` contains the fields with their values before and after',
  'application.consented': 'A user consented to the request of an application; FAILURE if they denied it',
  'application.consent_withdrawn':
    'A user withdrew their consent for an application; all its tokens for the user are revoked',
  'application.allowed_again': 'A user allowed an agent again after they had revoked its access',
  'application.device_not_found': 'A user entered an unknown device code',
  'application.signed_in': 'An application received a code for a user who had a session and had consented before',
  'application.token_issued':
    "Tokens were issued for a code, a refresh token (`metadata.refreshes`: the number of refreshes of the grant; not each refresh has an entry, see `session.refreshed`) or an application's own credentials",
  'application.token_refused':
    'A token request, pushed authorization request or device authorization request of a client failed: unknown client, wrong secret, invalid code or token; `metadata.error` is the code, `metadata.reason` the error of a client assertion',
  'application.token_revoked': 'An access token or a grant was revoked by the holder of the token',
  'application.code_replayed': 'An authorization code was reused: its grant was revoked',
  'application.refresh_reused': 'A refresh token was reused after its successor was in use: the grant was revoked',
  'application.saml_signed_in':
    'An application received a SAML response for a user; DENIED or FAILURE if no assertion was issued, with `metadata.reason`; `metadata.signature` has the algorithm and the reason of a rejected signature',
  'application.tried': 'An administrator tested the sign-in to an application on its try-it page',
  'application.logout_told':
    'An application was notified of the end of a session; FAILURE if it did not return 200 or 204',
  'application.logout_dropped':
    'An application was not notified of the end of a session, because 10,000 notifications of the team were waiting for applications that do not respond',
  'session.refreshed':
    'A refresh token was exchanged for its successor. In 24 hours, each network and client of a session has one entry. `metadata.refreshes` is the number of refreshes since the sign-in or the last team switch',
  'session.refresh_reused': 'A refresh token was reused after its successor was in use: the session was revoked',
} as const

export type AuditAction = keyof typeof AUDIT_ACTIONS
