import type { FastifyInstance } from 'fastify'
import {
  APPLICATION_ERRORS,
  applicationNames,
  applicationRoutes,
  endApplicationSecrets,
  groupAssignmentRoutes,
  orphanRegistrationTokensOf,
  replaceApplicationsOfUser,
  stopRoutes,
} from './features/applications/index.js'
import { AUDIT_ERRORS, type AuditNames, auditJobs, auditRoutes, createAudit } from './features/audit/index.js'
import {
  ACCOUNT_ERRORS,
  ACCOUNT_MAILS,
  type AccountDeps,
  accountRoutes,
  changeEmailJob,
  createSignInQueue,
  endTemporaryAbove,
  endTemporaryOf,
  factorProofRoutes,
  ownAccountRoutes,
  sendLinkJobs,
} from './features/authentication/index.js'
import {
  apiTokenNames,
  apiTokenRoutes,
  CREDENTIAL_ERRORS,
  loadCommonPasswords,
  lockCaller,
  requireActiveActor,
  revokeApiTokensOfTeam,
  withApiTokens,
} from './features/credentials/index.js'
import { GROUP_ERRORS, groupNames, groupRoutes, replaceGroupsOfUser } from './features/groups/index.js'
import {
  createLdap,
  createVerifyByDirectory,
  DIRECTORY_ERRORS,
  directoryNames,
  orphanDirectoriesOf,
  orphanDirectoriesOfTeam,
  rewrapBindPasswords,
} from './features/ldap/index.js'
import { fetchLogo, LOGO_ERRORS, logoRoutes, logoStatusOf, purgeLogos } from './features/logos/index.js'
import {
  invitationNames,
  isBlocked,
  MEMBER_ERRORS,
  MEMBER_MAILS,
  memberAddresses,
  memberRoutes,
  membersMatching,
  type RoleDeps,
} from './features/members/index.js'
import {
  factorRoutes,
  MFA_ERRORS,
  MFA_MAILS,
  moveEnrollments,
  purgeFactors,
  rewrapTotpSecrets,
} from './features/mfa/index.js'
import {
  createSigningKeys,
  deleteApplicationKeys,
  OIDC_CONFIG_ERRORS,
  oidcConfigRoutes,
  purgeSigningKeys,
} from './features/oidc-config/index.js'
import {
  createOidcProvider,
  deleteConsents,
  OIDC_PROVIDER_ERRORS,
  rejectForBrowser,
} from './features/oidc-provider/index.js'
import { pageRoutes, registerPages } from './features/pages/index.js'
import {
  ACCESS_ERRORS,
  accessRoutes,
  authorize,
  knowsPermission,
  RESTRICTION_CODES,
} from './features/permissions/index.js'
import {
  createPolicySets,
  createSignOnDecision,
  POLICY_ERRORS,
  passwordPolicyRoutes,
  policyNames,
  policyRoutes,
} from './features/policies/index.js'
import { createSamlKeys, purgeSamlKeys, SAML_KEY_ERRORS, samlKeyRoutes } from './features/saml-keys/index.js'
import {
  continueNotified,
  createSamlProvider,
  endSamlSessions,
  SAML_PROVIDER_ERRORS,
} from './features/saml-provider/index.js'
import {
  createScim,
  revokeScimTokensOf,
  revokeScimTokensOfTeam,
  SCIM_TOKEN_ERRORS,
  scimTokenNames,
} from './features/scim/index.js'
import {
  continueRequested,
  countDroppedNotifications,
  createAccessTokens,
  createAuthenticate,
  purgeSessions,
  SESSION_ERRORS,
  sessionRoutes,
} from './features/sessions/index.js'
import { ensureSettings, readSettings, settingsRoutes } from './features/settings/index.js'
import {
  continueProviderSession,
  createSso,
  deleteDomains,
  disableProviders,
  orphanProvidersOf,
  providerNames,
  recordAsserted,
  rejectAsserted,
  rewrapClientSecrets,
  SSO_ERRORS,
  SSO_MAILS,
  verifiedDomains,
} from './features/sso/index.js'
import { ORGANIZATION_ERRORS, organizationNames, queueKeyOf, rejectWhileSuspended } from './features/teams/index.js'
import {
  deleteTeamRoutes,
  type EndDeps,
  IMPORT_ERRORS,
  importJob,
  importRoutes,
  notifyOfLostPermissions,
  USER_ERRORS,
  USER_MAILS,
  type UserDeps,
  userAssignmentRoutes,
  userHelpRoutes,
  userRoutes,
} from './features/user-management/index.js'
import { type Clock, DAY } from './platform/clock.js'
import type { Config } from './platform/config/config.js'
import { createEnvelope } from './platform/crypto/envelope.js'
import { openKeyRing } from './platform/crypto/key-ring.js'
import { createPasswordHasher, type HashCost } from './platform/crypto/password-hash.js'
import { createRsaKeyPairs, type GenerateRsaKeyPair } from './platform/crypto/rsa-key-pair.js'
import type { Database } from './platform/db/database.js'
import { guardDatabase } from './platform/db/guarded-database.js'
import { isMigrated } from './platform/db/migrate.js'
import { createTxtRecords } from './platform/dns.js'
import { openCountries } from './platform/geo/countries.js'
import { createHttpServer, originOf } from './platform/http/http-server.js'
import { registerReference } from './platform/http/openapi/reference.js'
import { createAddressRules, createOutbound } from './platform/http/outbound.js'
import { probeRoutes } from './platform/http/probe-routes.js'
import { registerRoutes } from './platform/http/register-routes.js'
import { type ListedRoute, listRoutes, type Route } from './platform/http/route.js'
import { createJobs, type Jobs } from './platform/jobs/jobs.js'
import type { Logger } from './platform/log.js'
import { createMailer, MAILS_AT_ONCE } from './platform/mail/mailer.js'
import { folderTransport, smtpTransport } from './platform/mail/transport.js'
import { createMetrics } from './platform/metrics.js'
import { createThrottle, purgeThrottle } from './platform/throttle/throttle.js'
import { VERSION } from './platform/version.js'

export interface AppParts {
  config: Config & { encryptionKeys: Buffer[] }
  /** Open and migrated. */
  db: Database
  clock: Clock
  log: Logger
  /** For tests, which hash thousands of passwords and generate hundreds of keys. */
  lowCost?: LowCostSecrets
}

/** Replaces the most expensive computations. No setting configures it. */
export interface LowCostSecrets {
  hashCost?: HashCost
  generateRsaKeyPair?: GenerateRsaKeyPair
}

export interface App {
  http: FastifyInstance
  /** The permission of each route, for the reference. */
  routes: ListedRoute[]
  jobs: Jobs
  /** Closes connections that jobs reuse between runs. Call it when the jobs have stopped. */
  closeConnections(): void
}

/** The error codes of every module, in module order. The reference lists them, and routes are checked against them. */
export const ERROR_TABLES = [
  AUDIT_ERRORS,
  ACCESS_ERRORS,
  ORGANIZATION_ERRORS,
  MEMBER_ERRORS,
  GROUP_ERRORS,
  APPLICATION_ERRORS,
  POLICY_ERRORS,
  SESSION_ERRORS,
  CREDENTIAL_ERRORS,
  MFA_ERRORS,
  USER_ERRORS,
  IMPORT_ERRORS,
  ACCOUNT_ERRORS,
  SAML_KEY_ERRORS,
  SSO_ERRORS,
  OIDC_CONFIG_ERRORS,
  OIDC_PROVIDER_ERRORS,
  SAML_PROVIDER_ERRORS,
  SCIM_TOKEN_ERRORS,
  DIRECTORY_ERRORS,
  LOGO_ERRORS,
]

/** The names of resources in the audit log, from the modules that own them. */
const AUDIT_NAMES: AuditNames = {
  labellers: {
    user: memberAddresses,
    organization: organizationNames,
    application: applicationNames,
    group: groupNames,
    invitation: invitationNames,
    policy: policyNames,
    api_token: apiTokenNames,
    sso_provider: providerNames,
    scim_token: scimTokenNames,
    directory: directoryNames,
  },
  membersMatching,
}

/** Concurrent jobs of a node. Most of them wait for a third party, such as a mail server or a notified application. */
const PARALLEL_JOBS = 4

/** Assembles the app: the platform, then the modules in their order, then their routes. It does not listen or run jobs yet. */
export async function createApp({ config, clock, log, lowCost, ...parts }: AppParts): Promise<App> {
  const { db, withGuard } = guardDatabase(parts.db)
  const metrics = createMetrics()
  const envelope = createEnvelope(config.encryptionKeys)
  const keys = await openKeyRing({ db, envelope, clock })
  await keys.rewrap()
  await ensureSettings(db, clock)
  const hasher = await createPasswordHasher({
    queue: config.hashQueue,
    ...(lowCost?.hashCost && { cost: lowCost.hashCost }),
  })
  const throttle = createThrottle(clock)
  const jobs = createJobs({ db, clock, log, metrics, parallel: PARALLEL_JOBS })
  const transportOf = (connections: number) =>
    config.smtpUrl ? smtpTransport(config.smtpUrl, connections) : folderTransport(`${config.dataDir}/outbox`)
  const transports = { users: transportOf(MAILS_AT_ONCE.users), teams: transportOf(MAILS_AT_ONCE.teams) }
  const mailer = createMailer({
    db,
    clock,
    config,
    envelope,
    jobs,
    log,
    metrics,
    transports,
    brand: () => db.transaction((tx) => readSettings(tx)),
    isBlocked,
    kinds: [...MEMBER_MAILS, ...MFA_MAILS, ...USER_MAILS, ...ACCOUNT_MAILS, ...SSO_MAILS],
  })
  const countries = await openCountries(config.geoipDb)
  metrics.gauge('keyward_geoip_database_timestamp_seconds', 'Build time of the GeoIP database', () =>
    Math.floor(countries.builtAt.getTime() / 1_000),
  )
  metrics.gauge('keyward_password_hashes_waiting', 'Password hashes that wait for a core', () => hasher.waiting)
  metrics.gauge(
    'keyward_database_connections_waiting',
    'Requests that wait for a database connection',
    () => db.waiting,
  )

  metrics.counter(
    'keyward_logout_notifications_dropped_total',
    'Back-channel logout notifications that were dropped because too many of the team were waiting',
    countDroppedNotifications,
  )

  const audit = createAudit(clock)
  const tokens = createAccessTokens({ keys, clock, baseUrl: config.baseUrl })
  const limits = { maxMembers: config.maxMembers, maxApplications: config.maxApplications }
  const commonPasswords = await loadCommonPasswords(config.commonPasswords)
  const policySets = createPolicySets({ db })
  const addressRules = createAddressRules({ allowPrivate: config.allowPrivateNetwork, dnsServers: config.dnsServers })
  const endWhatActsFor: EndDeps['endWhatActsFor'] = async (tx, userId, which) => ({
    scimTokensRevoked: await revokeScimTokensOf(tx, clock, userId, which),
    providersOrphaned: await orphanProvidersOf(tx, userId, which),
    directoriesOrphaned: await orphanDirectoriesOf(tx, userId, which),
    registrationTokensOrphaned: await orphanRegistrationTokensOf(tx, userId, which),
  })
  const endTemporaryPasswordsOf: EndDeps['endTemporaryOf'] = (tx, setter, by) =>
    endTemporaryOf(tx, { audit, clock, endWhatActsFor }, setter, by)
  const accounts: AccountDeps = {
    db,
    clock,
    audit,
    config,
    hasher,
    commonPasswords,
    throttle,
    mailer,
    verifiedDomains,
    jobs,
    tokens,
    keys,
    limits,
    envelope,
    decideSignOn: createSignOnDecision(policySets),
    // Bounds the share of the hash queue that sign-ins to one account can occupy.
    signInQueue: createSignInQueue(Math.ceil(config.hashQueue / 4)),
    countries,
    recordAsserted: recordAsserted({ clock }),
    rejectAsserted,
    continueSession: async (tx, from, to) => {
      await continueProviderSession(tx, from, to)
      await continueNotified(tx, from, to)
      await continueRequested(tx, from, to)
      await moveEnrollments(tx, from, to)
    },
    endWhatActsFor,
    endSamlSessions,
    endTemporaryOf: endTemporaryPasswordsOf,
    endSecretsOfTeam: async (tx, teamId) => ({
      apiTokensRevoked: await revokeApiTokensOfTeam(tx, clock, teamId),
      scimTokensRevoked: await revokeScimTokensOfTeam(tx, clock, teamId),
      applicationsStopped: await endApplicationSecrets(tx, clock, teamId),
      signingKeysDeleted: await deleteApplicationKeys(tx, teamId),
      ...(await disableProviders(tx, clock, teamId)),
      directoriesOrphaned: await orphanDirectoriesOfTeam(tx, teamId),
      domainsDeleted: await deleteDomains(tx, teamId),
    }),
    deleteConsents,
    verifyByDirectory: createVerifyByDirectory({ db, clock, addressRules, envelope }),
  }

  const endTemporary: RoleDeps['endTemporaryAbove'] = (tx, given, by) => endTemporaryAbove(tx, accounts, given, by)
  const notifyOfReducedRole: RoleDeps['notifyOfLostPermissions'] = (tx, change) =>
    notifyOfLostPermissions(tx, { clock, mailer }, change)
  const users: UserDeps = {
    endTemporaryAbove: endTemporary,
    endTemporaryOf: endTemporaryPasswordsOf,
    notifyOfLostPermissions: notifyOfReducedRole,
    endWhatActsFor,
    endSamlSessions,
    db,
    clock,
    audit,
    config,
    hasher,
    commonPasswords,
    throttle,
    mailer,
    jobs,
    verifiedDomains,
    replaceGroups: replaceGroupsOfUser,
    replaceApplications: replaceApplicationsOfUser,
  }

  const keyParts = {
    db,
    clock,
    audit,
    envelope,
    rsaKeyPairs: createRsaKeyPairs({
      db,
      throttle,
      queueKeyOf,
      perHour: config.limits.rsaKeys,
      generatePair: lowCost?.generateRsaKeyPair,
    }),
  }
  const signingKeys = createSigningKeys(keyParts)
  await signingKeys.rewrap()
  await rewrapTotpSecrets({ db, envelope })
  const samlKeys = createSamlKeys(keyParts)
  await samlKeys.rewrap()
  const outbound = createOutbound(addressRules)
  await rewrapClientSecrets({ db, envelope })
  // Created before the modules that call it through a port.
  const samlProvider = createSamlProvider({
    db,
    clock,
    config,
    audit,
    throttle,
    countries,
    outbound,
    decideSignOn: accounts.decideSignOn,
    samlKeys,
  })
  const { leaveApplications, samlUses } = samlProvider
  const sso = createSso({
    db,
    clock,
    audit,
    envelope,
    config,
    accounts,
    outbound,
    txtRecords: createTxtRecords(config.dnsServers),
    samlKeys,
    leaveApplications,
    rejectForBrowser,
  })
  const oidcProvider = createOidcProvider({
    db,
    clock,
    config,
    audit,
    throttle,
    jobs,
    serverKeys: keys,
    signingKeys,
    outbound,
    countries,
    decideSignOn: accounts.decideSignOn,
    leaveSession: sso.leaveByProvider,
    samlUses,
  })

  const scim = createScim({
    db,
    clock,
    audit,
    config,
    mailer,
    log,
    endWhatActsFor,
    endSamlSessions,
    endTemporaryOf: endTemporaryPasswordsOf,
  })

  await rewrapBindPasswords({ db, envelope })
  const directory = createLdap({
    db,
    clock,
    audit,
    config,
    envelope,
    jobs,
    mailer,
    addressRules,
    endWhatActsFor,
    endSamlSessions,
    endTemporaryOf: endTemporaryPasswordsOf,
  })

  const recurring = [
    ...auditJobs({ db, clock, keys, log }),
    purgeSessions({ db, clock }),
    purgeThrottle(db, clock),
    purgeFactors({ db, clock }),
    purgeSigningKeys({ db, clock }),
    purgeSamlKeys({ db, clock }),
    purgeLogos({ db }),
    { kind: 'keys.rotate', every: DAY, run: () => keys.rotate() },
  ]
  for (const kind of [
    ...mailer.jobKinds,
    ...recurring,
    ...sso.jobs,
    ...oidcProvider.jobs,
    ...samlProvider.jobs,
    ...directory.jobs,
    ...sendLinkJobs(accounts),
    changeEmailJob(accounts),
    importJob(users),
    fetchLogo({ db, outbound }),
  ])
    jobs.register(kind)

  const http = await createHttpServer({
    config,
    clock,
    log,
    metrics,
    version: VERSION,
    onDenied: async (caller, error, request) => {
      const resource = `route:${request.method} ${request.routeOptions.url ?? ''}`
      await db.transaction((tx) =>
        audit.record(tx, caller ?? { userId: null, teamId: null, origin: originOf(request) }, 'access.denied', {
          result: 'DENIED',
          resource,
          metadata: { code: error.code },
        }),
      )
    },
  })
  http.addHook('onClose', () => scim.settled())
  http.addHook('preHandler', (request, _reply, done) => {
    const reload = request.url.startsWith('/api/') ? keys.reloadIfIdle() : undefined
    if (reload) reload.then(() => done(), done)
    else done()
  })
  const routes: Route[] = [
    ...probeRoutes({
      metrics,
      metricsToken: config.metricsToken,
      isReady: async () => !db.isUnavailable && (await isMigrated(db.pool).catch(() => false)),
    }),
    ...accessRoutes(() => listRoutes(routes)),
    ...auditRoutes({ db, clock, keys, audit, names: AUDIT_NAMES }),
    ...settingsRoutes({ db, clock, audit }),
    ...logoRoutes({ db, clock, jobs }),
    ...groupRoutes({ db, clock, audit }),
    ...memberRoutes({
      db,
      clock,
      audit,
      mailer,
      throttle,
      config,
      limits,
      verifiedDomains,
      logoStatusOf,
      requireActiveActor,
      endTemporaryAbove: endTemporary,
      endTemporaryOf: endTemporaryPasswordsOf,
      notifyOfLostPermissions: notifyOfReducedRole,
    }),
    ...applicationRoutes({ db, clock, audit, config, requireActiveActor }),
    ...stopRoutes({ db, clock, audit, config }),
    ...policyRoutes({ db, clock, audit, policySets }),
    ...passwordPolicyRoutes({ db, clock, audit, config }),
    ...groupAssignmentRoutes({ db, clock, audit, config }),
    ...userAssignmentRoutes({ db, clock, audit }),
    ...importRoutes(users),
    ...sessionRoutes({ db, clock, audit, keys, tokens }),
    ...factorRoutes(accounts),
    ...apiTokenRoutes({ db, clock, audit }),
    ...userRoutes(users),
    ...userHelpRoutes(users),
    ...accountRoutes(accounts),
    ...factorProofRoutes(accounts),
    ...ownAccountRoutes(accounts),
    ...deleteTeamRoutes({ db, clock, audit }),
    ...samlKeyRoutes({ ...keyParts, samlKeys }),
    ...sso.routes,
    ...oidcConfigRoutes({ db, clock, audit, envelope, signingKeys }),
    ...oidcProvider.routes,
    ...samlProvider.routes,
    ...scim.routes,
    ...directory.routes,
    ...pageRoutes({ db, clock, config }),
  ]
  registerRoutes(http, routes, {
    config,
    authenticate: withApiTokens(
      { db, clock },
      createAuthenticate({
        db,
        tokens,
        now: () => clock.now(),
        enforcePasswordChange: config.enforcePasswordChange,
        firstAccountAlone: config.setupSecret !== undefined || !config.loopback,
      }),
    ),
    authenticateScim: scim.authenticate,
    onScimResponse: scim.recordAnswer,
    authorize: (actor, permission, route) => {
      authorize(actor, permission, route)
      rejectWhileSuspended(actor, permission)
    },
    whileActive: (actor, { endsSessions }, handler) => withGuard((tx) => lockCaller(tx, actor, endsSessions), handler),
    knowsPermission,
    errorTables: ERROR_TABLES,
    sessionCodes: {
      always: ['not_a_member', 'team_suspended', 'team_sign_in_required'],
      restricted: RESTRICTION_CODES,
      noToken: ['session_required'],
      accountWide: ['second_factor_required'],
    },
  })
  await registerReference(http, ERROR_TABLES)
  await registerPages(http, { db, clock, config })
  await http.ready()
  const closeConnections = () => {
    for (const transport of Object.values(transports)) transport.close()
  }
  return { http, jobs, routes: listRoutes(routes), closeConnections }
}
