/**
 * Every action that an audit entry can name, as `resource.verb`, with what it means. The one list: `docs/audit-events.md` is
 * checked against it, and an action that is not here does not compile.
 */
export const AUDIT_ACTIONS = {
  'access.denied': 'Somebody asked for something that they may not do, and got 403 (result DENIED)',
  'instance.onboarded': 'The first super-admin of the instance was named',
  'instance.updated': 'The settings of the instance were changed',
  'organization.created': 'A team was made',
  'organization.updated': 'A team was changed; metadata.changed names the fields',
  'organization.suspended': 'A team was suspended: only its owners and super-admins may still enter it',
  'organization.reactivated': 'A suspended team was opened again',
  'organization.secrets_ended':
    'The owner of an email address verified it for the first time, and what the earlier user of the account may hold of this team was revoked',
  'organization.deleted': 'A team and everything in it was deleted',
  'organization.audit_removed':
    'The entries of a deleted team were removed; metadata has their number and the last hash of their chain',
  'audit.exported': 'Entries of the audit log were exported; metadata has the format and the filter',
  'member.added': 'A user became a member of a team',
  'password_policy.created': 'The password policy of a team was first asked for, and stored as it held',
  'password_policy.updated':
    'The password policy of a team was changed; metadata has the fields with their values before and after',
  'member.removed':
    'A user was removed from a team, or left it (metadata.left); metadata counts what ended with the membership: sessions, tokens, providers and the directory that acted with the permissions of the user',
  'group.created': 'A group was made',
  'group.updated': 'A group was renamed or described anew; metadata.changed names the fields',
  'group.deleted': 'A group was deleted with its memberships and its assignments of applications',
  'group.members_replaced': 'The members of a group were replaced',
  'group.applications_replaced': 'The applications that are assigned to a group were replaced',
  'user.groups_replaced': 'The groups that a user is in were replaced',
  'user.applications_replaced': 'The applications that are assigned to a user were replaced',
  'member.joined': 'A user joined a team that is open to the domain of their address',
  'member.confirmed': 'A user confirmed a membership that the team had added',
  'user.team_blocked': 'A user blocked a team: it sends them no mails. Recorded in the log of the instance alone',
  'user.team_unblocked': 'A user ended the block of a team',
  'member.invited':
    'Somebody was invited to a team by mail; metadata.replaced is the invitation that this one replaces',
  'organization.owner_missing':
    'The last owner of a team disowned the account, and no administrator of the team could become the owner. Recorded in the log of the instance',
  'organization.owner_appointed':
    'An administrator of the instance appointed the owner of a team that had none; metadata.user is the owner. Recorded in the log of the instance',
  'member.role_changed': 'The role of a member was changed; metadata has from and to',
  'invitation.resent': 'An invitation was sent once more, with a new link',
  'invitation.revoked': 'An invitation was taken back',
  'invitation.accepted': 'An invitation was accepted by whoever has the address',
  'application.created': 'An application was registered',
  'application.registration_refused':
    'Somebody tried to register a client, or to manage one that was registered so, without the right token; metadata says which',
  'application.updated':
    'An application was changed; metadata.changed names the fields (metadata.by registration_token: by itself; registrationTokenTakenOver: the actor became the maker of its registration access token)',
  'application.deleted':
    'An application was deleted, with everything that was handed out for it (metadata.by registration_token: by itself)',
  'application.secret_rotated':
    'An application got a new secret; the one before and what was handed out by it are dead, unless metadata.previousSecretExpiresAt says until when both are good',
  'application.stopped': 'An application was stopped: everything that it was given is dead, and it gets nothing',
  'application.started': 'A stopped application may ask for tokens again',
  'application.previous_secret_ended':
    'The overlap of two secrets of an application was ended: the one before is dead, with the tokens that the application had for itself',
  'application.registration_token_ended':
    'The token by which a client managed its own registration was ended: only administrators change it from now on',
  'application.registered':
    'A client was registered by OAuth dynamic registration; metadata.by says by what: api_token or instance_token',
  'application.users_assigned': 'The users to whom an application is assigned were replaced',
  'application.groups_assigned': 'The groups to which an application is assigned were replaced',
  'directory.created': 'The LDAP directory of a team was written for the first time; metadata has its address',
  'directory.updated': 'The LDAP directory of a team was changed; metadata.changed names the fields',
  'directory.deleted': 'The LDAP directory of a team was forgotten; the users and groups that it brought stay',
  'directory.tested':
    'Somebody looked whether the LDAP directory can be read; metadata.failed names the checks that failed',
  'directory.sync_started': 'Somebody started to read the LDAP directory; metadata has the run',
  'directory.synced':
    'A reading of the LDAP directory is over; metadata has its status (completed, failed, cancelled) and what it did',
  'policy.created': 'A policy was made',
  'policy.updated': 'A policy was changed; metadata.changed names the fields',
  'policy.deleted': 'A policy was deleted',
  'policy.evaluated':
    'Somebody asked whether an access is allowed: SUCCESS for ALLOW, DENIED for DENY. userId is who asked, agentId the agent and resource the user that they asked about; metadata has the question, the decision and the policy that made it (metadata.draft: a trial of an unsaved policy, which decided nothing)',
  'policy.replayed': 'Past decisions were made again with an unsaved policy, to see which would change',
  'users.imported':
    'A list of users is being read in (metadata.status is started), or that came to its end, with its numbers; FAILURE when whoever started it no longer may, or when it could not be done for a reason of ours',
  'user.updated': 'What a team shows of a user was changed; metadata.changed names the fields',
  'user.created': 'An account was made',
  'user.activated': 'A user of a team became active by an administrator or a directory',
  'user.suspended':
    'A user was suspended in a team; metadata counts what ended: sessions, tokens, providers and the directory that acted with the permissions of the user',
  'user.password_given': 'An administrator gave an account a temporary password; all its sessions have ended',
  'user.temporary_credentials_ended':
    'What was created in sessions that a temporary password, a provider or a directory started has ended: a reset by mail, or a role above that of the member who set it, or of the editor',
  'user.sessions_ended': 'An administrator ended the sessions of a user in a team',
  'user.deleted': 'An account was deleted',
  'user.login':
    'A sign-in; FAILURE when it was refused. metadata has its method, how unusual it looked (reasons, and riskScore), and whether a second factor was asked for',
  'user.logout': 'A session was ended by its user',
  'user.locked': 'Too many failed sign-ins: the account is closed for a while',
  'user.link_requested': 'A link by mail was asked for and sent (metadata.kind says which)',
  'user.email_verified': 'The address of an account was proven',
  'user.email_changed':
    'The address of an account was changed by its user, or by the directory of the team that manages it; metadata has both',
  'user.profile_changed': 'A user changed their own profile; metadata.changed names the fields',
  'user.reclaimed':
    'The owner of an address proved it on an account that nobody had proven: its password, sessions, known devices and API tokens were removed, its invitations and imports ended, its passkeys sign in no more by themselves, its teams with other people were set aside. With metadata.keptSession, a session of the account itself verified the address and kept what it signed in with or created',
  'user.disowned': 'The owner of an address said that they did not make the account; it was deleted',
  'user.password_set': 'An account that had no password got one',
  'user.password_changed': 'A password was changed by its user; FAILURE when the current password was wrong',
  'user.password_reset': 'A password was set by a link sent by mail',
  'user.challenged':
    'A right first proof waits for a second factor; metadata says why it is asked for (secondFactor) and how unusual the sign-in looks (reasons, and riskScore)',
  'user.challenge_failed':
    'A second factor was answered wrongly, or after its time; metadata.reason is wrong, locked or expired',
  'user.mfa_disabled': 'A user removed all their second factors; FAILURE when the password was wrong',
  'user.factors_reset': 'An administrator reset the second factors of a member, for the team alone',
  'user.adaptive_mfa_changed':
    'A user chose whether their second factor is asked for at each sign-in or only where one looks unusual',
  'user.device_forgotten': 'A user forgot a browser from which they had signed in',
  'factor.enrollment_started': 'A user began to enrol an authenticator app',
  'factor.enrolled': 'A second factor was enrolled; FAILURE when its code or passkey was not right',
  'factor.renamed': 'A second factor got another name; metadata has both',
  'factor.removed': 'A user removed one of their second factors',
  'factor.backup_codes_renewed': 'A user made new backup codes; every earlier one is dead',
  'factor.clone_suspected':
    'A passkey counted fewer uses than before, as a copy of it would; the sign-in was refused (result DENIED)',
  'user.reauthenticated': 'A signed-in user proved who they are once more; FAILURE when the proof was wrong',
  'session.team_switched': 'A session went over to another team of its user',
  'session.ended': 'A session was ended from the list of sessions',
  'session.others_ended': 'A user ended all other sessions of theirs',
  'api_token.created': 'An API token was made; metadata has its name, prefix, scopes and end',
  'api_token.revoked': 'An API token was revoked; metadata has its name and prefix',
  'scim_token.created': 'A SCIM token was made; metadata has its name, prefix and end',
  'scim_token.revoked': 'A SCIM token was revoked; metadata has its name and prefix',
  'domain.added': 'A team said that an e-mail domain is its own',
  'domain.proven': 'An e-mail domain of a team was proven by its DNS record',
  'domain.lost':
    'An e-mail domain of a team is proven no longer: its DNS record is gone (missing on seven days, or when somebody looked), or another team has proven it since',
  'domain.removed': 'A team took back that an e-mail domain is its own',
  'sso_provider.created': 'A provider by which members sign in was added',
  'sso_provider.updated':
    'A provider was changed; metadata.changed names the fields, and identitiesForgotten how many people it knew under another issuer; sessionsEnded how many sessions of it ended because it was switched off or has another issuer; by is metadata where the service took the change from the metadata of the provider',
  'sso_provider.tested':
    'A provider was tested, or a test sign-in by it begun (metadata.runId); FAILURE when a check failed, and metadata.failed names them',
  'sso_provider.deleted':
    'A provider was deleted, with the identities that it knew; metadata.sessionsEnded says how many sessions of it ended',
  'sso_identity.linked':
    'A provider said for the first time who somebody is; metadata has the provider, and how the account was found: email or created',
  'sso_identity.signed_out':
    'A provider said that a user has signed out there: the sessions that it had opened here have ended, and the sign-ins that waited for a second factor (`waiting`); metadata has the provider and their number',
  'signing_key.created': 'A key that signs tokens was made, or brought along (metadata.imported)',
  'signing_key.updated': 'What a key of an application signs was changed; metadata.changed names the fields',
  'signing_key.rotated':
    "A new key signs in the place of the team's key; metadata says which, and until when the old one verifies",
  'signing_key.retired': 'A key signs nothing any more; metadata says until when it verifies',
  'signing_key.removed': 'A key was taken out at once: what it signed is dead',
  'saml_key.created': 'The first SAML key of an application or a team was made, when it was first needed',
  'saml_key.prepared': 'The next SAML key of an application or a team was made: its certificate is published',
  'saml_key.activated':
    'The next SAML key signs; metadata says which one signed before, and until when that one is published',
  'saml_key.ended': 'A SAML key that did not sign was ended: it is published no longer',
  'oidc_scope.created': 'An application got a scope of its own',
  'oidc_scope.updated': 'A scope of an application was changed; metadata.changed names the fields',
  'oidc_scope.deleted': 'A scope of an application was deleted',
  'oidc_claim.created': 'A claim was added to the tokens of an application',
  'oidc_claim.updated': 'A claim in the tokens of an application was changed; metadata.changed names the fields',
  'oidc_claim.deleted': 'A claim was taken out of the tokens of an application',
  'regex_rule.created': 'A rule by which values of claims are made was written',
  'regex_rule.updated': 'A rule by which values of claims are made was changed; metadata.changed names the fields',
  'regex_rule.deleted': 'A rule by which values of claims are made was deleted',
  'token_policy.updated':
    'The lifetimes of the tokens of an application were changed; metadata has the fields with their values before and after',
  'application.consented': 'A user allowed an application what it asked for; FAILURE when they refused',
  'application.consent_withdrawn':
    'A user took back what they had allowed an application; everything that it had of them is dead',
  'application.allowed_again':
    'A user lets an agent from which they had taken everything back be given something for their tokens again',
  'application.device_not_found': 'Somebody typed the code of a device that no device shows',
  'application.signed_in': 'An application was given a code for a user who had a session and had allowed it before',
  'application.token_issued': "A code, a refresh token or an application's own credentials were exchanged for tokens",
  'application.token_refused':
    'A request of a client for tokens, or one that it pushed or began for a device, failed: unknown client, wrong secret, a code or token that is not valid (metadata.error says which)',
  'application.token_revoked': 'An access token or a grant was revoked by whoever held the token',
  'application.code_replayed': 'A code was presented again: everything that it had led to was ended',
  'application.refresh_reused':
    'A refresh token was presented again after its successor was in use: the grant was ended',
  'application.saml_signed_in':
    'An application was told by SAML who has signed in; DENIED or FAILURE when it was not, and metadata.reason says why',
  'application.tried': 'An administrator exchanged a code of their own in the try-it page of an application',
  'application.logout_told': 'The end of a session was told to an application; FAILURE when it did not answer 200',
  'application.logout_dropped':
    'The end of a session was not sent to an application, because 10,000 notifications of the team were waiting: its applications do not answer',
  'session.refreshed': 'A refresh token was exchanged for its successor',
  'session.refresh_reused': 'A refresh token was presented again after its successor was in use: the session was ended',
} as const

export type AuditAction = keyof typeof AUDIT_ACTIONS
