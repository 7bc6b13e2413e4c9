import type { FastifyInstance } from 'fastify'
import { ACCESS_ERRORS, accessRoutes, authorize, knowsPermission } from './features/access/index.js'
import {
  ACCOUNT_ERRORS,
  ACCOUNT_MAILS,
  type AccountDeps,
  accountRoutes,
  sendLinkJob,
} from './features/accounts/index.js'
import { auditJobs, auditRoutes, createAudit } from './features/audit/index.js'
import { CREDENTIAL_ERRORS, loadCommonPasswords } from './features/credentials/index.js'
import { MEMBER_ERRORS, memberRoutes } from './features/members/index.js'
import { ORGANIZATION_ERRORS } from './features/organizations/index.js'
import { pageRoutes, registerPages } from './features/pages/index.js'
import {
  createAccessTokens,
  createAuthenticate,
  purgeSessions,
  SESSION_ERRORS,
  sessionRoutes,
} from './features/sessions/index.js'
import { ensureSettings, readSettings, settingsRoutes } from './features/settings/index.js'
import { type Clock, DAY } from './platform/clock.js'
import type { Config } from './platform/config/config.js'
import { createEnvelope } from './platform/crypto/envelope.js'
import { openKeyRing } from './platform/crypto/key-ring.js'
import { createPasswordHasher } from './platform/crypto/password-hash.js'
import type { Database } from './platform/db/database.js'
import { isMigrated } from './platform/db/migrate.js'
import { createHttpServer, originOf } from './platform/http/http-server.js'
import { probeRoutes } from './platform/http/probe-routes.js'
import { registerReference } from './platform/http/reference.js'
import { registerRoutes } from './platform/http/register-routes.js'
import { createJobs, type Jobs } from './platform/jobs/jobs.js'
import type { Logger } from './platform/log.js'
import { createMailer } from './platform/mail/mailer.js'
import { folderTransport, smtpTransport } from './platform/mail/transport.js'
import { createMetrics } from './platform/metrics.js'
import { createThrottle, purgeThrottle } from './platform/throttle/throttle.js'
import { VERSION } from './platform/version.js'

export interface AppParts {
  config: Config & { encryptionKeys: Buffer[] }
  /** Open, and migrated. */
  db: Database
  clock: Clock
  log: Logger
}

export interface App {
  http: FastifyInstance
  jobs: Jobs
}

/** Every room's table of codes, from the ground up; the reference prints them and the routes are checked against them. */
export const ERROR_TABLES = [
  ACCESS_ERRORS,
  ORGANIZATION_ERRORS,
  MEMBER_ERRORS,
  SESSION_ERRORS,
  CREDENTIAL_ERRORS,
  ACCOUNT_ERRORS,
]

/** The only assembly: the platform, then the rooms from the ground up, then their routes. Nothing listens or works yet. */
export async function createApp({ config, db, clock, log }: AppParts): Promise<App> {
  const metrics = createMetrics()
  const envelope = createEnvelope(config.encryptionKeys)
  const keys = await openKeyRing({ db, envelope, clock })
  await keys.rewrap()
  await ensureSettings(db, clock)
  const hasher = await createPasswordHasher({ queue: config.hashQueue })
  const throttle = createThrottle(clock)
  const jobs = createJobs({ db, clock, log, metrics, parallel: config.databaseUrl ? 4 : 1 })
  const mailer = createMailer({
    db,
    clock,
    config,
    envelope,
    jobs,
    log,
    metrics,
    transport: config.smtpUrl ? smtpTransport(config.smtpUrl) : folderTransport(`${config.dataDir}/outbox`),
    brand: () => db.transaction((tx) => readSettings(tx)),
    kinds: ACCOUNT_MAILS,
  })
  metrics.gauge('keyward_password_hashes_waiting', 'Password hashes that wait for a core', () => hasher.waiting)
  metrics.gauge(
    'keyward_database_connections_waiting',
    'Requests that wait for a database connection',
    () => db.pool.waitingCount,
  )

  const audit = createAudit(clock)
  const tokens = createAccessTokens({ keys, clock, baseUrl: config.baseUrl })
  const limits = { maxMembers: config.maxMembers, maxApplications: config.maxApplications }
  const commonPasswords = await loadCommonPasswords(config.commonPasswords)
  const accounts: AccountDeps = {
    db,
    clock,
    audit,
    config,
    hasher,
    commonPasswords,
    throttle,
    mailer,
    jobs,
    tokens,
    limits,
  }

  const recurring = [
    ...auditJobs({ db, clock, keys }),
    purgeSessions({ db, clock }),
    purgeThrottle(db, clock),
    { kind: 'keys.rotate', every: DAY, run: () => keys.rotate() },
  ]
  for (const kind of [...mailer.jobKinds, ...recurring, sendLinkJob(accounts)]) jobs.register(kind)

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
  const routes = [
    ...probeRoutes({
      metrics,
      metricsToken: config.metricsToken,
      isReady: () => isMigrated(db.pool).catch(() => false),
    }),
    ...auditRoutes({ db, clock, keys }),
    ...accessRoutes(),
    ...settingsRoutes({ db, clock, audit }),
    ...memberRoutes({ db, clock, audit, limits }),
    ...sessionRoutes({ db, clock, audit, keys, tokens }),
    ...accountRoutes(accounts),
    ...pageRoutes({ db, config }),
  ]
  registerRoutes(http, routes, {
    config,
    authenticate: createAuthenticate({
      db,
      tokens,
      now: () => clock.now(),
      enforcePasswordChange: config.enforcePasswordChange,
      setupSecretSet: config.setupSecret !== undefined,
    }),
    authorize,
    knowsPermission,
    errorTables: ERROR_TABLES,
    sessionCodes: {
      always: ['not_a_member', 'team_suspended', 'team_sign_in_required'],
      restricted: ['password_change_required', 'mfa_enrollment_required'],
    },
  })
  await registerReference(http, ERROR_TABLES)
  await registerPages(http, { db, config })
  await http.ready()
  return { http, jobs }
}
