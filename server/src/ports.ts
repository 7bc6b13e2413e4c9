import {
  API_TOKENS,
  requireActiveActor,
  revokeTokensOf,
  revokeTokensOfTeam,
  SCIM_TOKENS,
} from './features/access-tokens/index.js'
import {
  endApplicationSecrets,
  MOVE_APPLICATION_USERS,
  orphanRegistrationTokensOf,
} from './features/applications/index.js'
import type { Audit, AuditNames } from './features/audit/index.js'
import { type AccountDeps, endTemporaryAbove, endTemporaryOf } from './features/authentication/index.js'
import { MOVE_GROUP_MEMBERS } from './features/groups/index.js'
import {
  createVerifyByDirectory,
  MOVE_DIRECTORY_ENTRIES,
  orphanDirectoriesOf,
  orphanDirectoriesOfTeam,
} from './features/ldap/index.js'
import { logoStatusOf } from './features/logos/index.js'
import { createMoveMemberships, type MemberDeps, membersMatching } from './features/members/index.js'
import { moveEnrollments } from './features/mfa/index.js'
import { deleteApplicationKeys } from './features/oidc-config/index.js'
import { deleteConsents, type OidcProviderDeps, rejectForBrowser } from './features/oidc-provider/index.js'
import { DELETE_MOVED_TEAM_PASSWORDS } from './features/passwords/index.js'
import {
  continueNotified,
  endSamlSessions,
  leaveApplications,
  type SamlProviderDeps,
  samlUses,
} from './features/saml-provider/index.js'
import { continueRequested, DELETE_MOVED_TEAM_SIGN_INS } from './features/sessions/index.js'
import {
  continueProviderSession,
  disableProviders,
  MOVE_EXTERNAL_IDENTITIES,
  orphanProvidersOf,
  recordAsserted,
  rejectAsserted,
  type SsoDeps,
  verifiedDomains,
} from './features/sso/index.js'
import { deleteDomains } from './features/teams/index.js'
import { type EndDeps, notifyOfLostPermissions } from './features/user-management/index.js'
import type { Platform } from './platform/platform.js'

/** The ports by the module that calls them. Each is documented where that module declares it. */
type Ports = Pick<AuditNames, 'membersMatching'> &
  Pick<
    MemberDeps,
    | 'endTemporaryAbove'
    | 'endTemporaryOf'
    | 'logoStatusOf'
    | 'notifyOfLostPermissions'
    | 'requireActiveActor'
    | 'verifiedDomains'
  > &
  Pick<EndDeps, 'endSamlSessions' | 'revokeDelegated'> &
  Pick<
    AccountDeps,
    | 'continueSession'
    | 'deleteConsents'
    | 'endSecretsOfTeam'
    | 'moveMemberships'
    | 'recordAsserted'
    | 'rejectAsserted'
    | 'verifyByDirectory'
  > &
  Pick<SsoDeps, 'leaveApplications' | 'rejectForBrowser'> &
  Pick<OidcProviderDeps, 'samlUses'>

/** The tables that reference a membership. */
const moveMemberships = createMoveMemberships([
  DELETE_MOVED_TEAM_PASSWORDS,
  DELETE_MOVED_TEAM_SIGN_INS,
  MOVE_GROUP_MEMBERS,
  MOVE_APPLICATION_USERS,
  MOVE_DIRECTORY_ENTRIES,
  MOVE_EXTERNAL_IDENTITIES,
])

/** Implements every port: a function that a module calls although a later module in the order defines it. */
export function createPorts(deps: Platform & SamlProviderDeps & { audit: Audit }): Ports {
  const { db, clock, audit, mailer, jobs } = deps
  const revokeDelegated: EndDeps['revokeDelegated'] = async (tx, userId, which) => ({
    scimTokensRevoked: await revokeTokensOf(tx, clock, SCIM_TOKENS, userId, which),
    providersOrphaned: await orphanProvidersOf(tx, userId, which),
    directoriesOrphaned: await orphanDirectoriesOf(tx, userId, which),
    registrationTokensOrphaned: await orphanRegistrationTokensOf(tx, userId, which),
  })
  const ending = { audit, clock, revokeDelegated }
  return {
    membersMatching,
    verifiedDomains,
    logoStatusOf,
    requireActiveActor,
    notifyOfLostPermissions: (tx, change) => notifyOfLostPermissions(tx, { clock, mailer }, change),
    endTemporaryAbove: (tx, given, by) => endTemporaryAbove(tx, ending, given, by),
    endTemporaryOf: (tx, setter, by) => endTemporaryOf(tx, { jobs }, setter, by),
    moveMemberships,
    revokeDelegated,
    endSamlSessions,
    endSecretsOfTeam: async (tx, teamId) => ({
      apiTokensRevoked: await revokeTokensOfTeam(tx, clock, API_TOKENS, teamId),
      scimTokensRevoked: await revokeTokensOfTeam(tx, clock, SCIM_TOKENS, teamId),
      applicationsStopped: await endApplicationSecrets(tx, clock, teamId),
      signingKeysDeleted: await deleteApplicationKeys(tx, teamId),
      ...(await disableProviders(tx, clock, teamId)),
      directoriesOrphaned: await orphanDirectoriesOfTeam(tx, teamId),
      domainsDeleted: await deleteDomains(tx, teamId),
    }),
    deleteConsents,
    verifyByDirectory: createVerifyByDirectory(deps),
    recordAsserted: recordAsserted({ clock }),
    rejectAsserted,
    continueSession: async (tx, from, to) => {
      await continueProviderSession(tx, from, to)
      await continueNotified(tx, from, to)
      await continueRequested(tx, from, to)
      await moveEnrollments(tx, from, to)
    },
    leaveApplications: (sessions, goesOn, origin) => leaveApplications(deps, sessions, goesOn, origin),
    rejectForBrowser,
    samlUses: (userId) => samlUses(db, userId),
  }
}
