import { type Clock, DAY } from './clock.js'
import type { Config } from './config/config.js'
import { createEnvelope } from './crypto/envelope.js'
import { openKeyRing } from './crypto/key-ring.js'
import { createPasswordHasher, type HashCost } from './crypto/password-hash.js'
import { createRsaKeyPairs, type GenerateRsaKeyPair } from './crypto/rsa-key-pair.js'
import type { Database, Transaction } from './db/database.js'
import { guardDatabase } from './db/guarded-database.js'
import { createTxtRecords } from './dns.js'
import { openCountries } from './geo/countries.js'
import { createAddressRules, createOutbound } from './http/outbound.js'
import type { TeamId } from './ids.js'
import { jobBacklog } from './jobs/backlog.js'
import { createJobs } from './jobs/jobs.js'
import { purgeJob } from './jobs/purge-job.js'
import type { Logger } from './log.js'
import type { Brand } from './mail/mail-kind.js'
import { CONCURRENT_MAILS, createMailer } from './mail/mailer.js'
import { outboxOf } from './mail/outbox-folder.js'
import { folderTransport, smtpTransport } from './mail/transport.js'
import { createMetrics } from './metrics/metrics.js'
import { createThrottle, THROTTLE_RETENTION } from './throttle/throttle.js'
import { VERSION } from './version.js'

export interface PlatformParts {
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

/** The functions of modules that the platform calls. All run in the caller's transaction. */
export interface PlatformPorts {
  brandOf: (tx: Transaction) => Promise<Brand>
  /** Returns whether the recipient has blocked the mails of the team. */
  isBlocked: (tx: Transaction, teamId: TeamId, recipient: string) => Promise<boolean>
  /** Returns the key under which the requests of a team wait for a new RSA key. */
  queueKeyOf: (tx: Transaction, teamId: TeamId) => Promise<string>
}

export type Platform = Awaited<ReturnType<typeof createPlatform>>

/** Concurrent jobs of a node. Most of them wait for a third party, such as a mail server or a notified application. */
const PARALLEL_JOBS = 4

/** Creates the services that no module owns, and registers their jobs and metrics. */
export async function createPlatform(
  { config, clock, log, lowCost, ...parts }: PlatformParts,
  { brandOf, isBlocked, queueKeyOf }: PlatformPorts,
) {
  const { db, withGuard } = guardDatabase(parts.db)
  const metrics = createMetrics({ clock, log })
  const envelope = createEnvelope(config.encryptionKeys)
  const keys = await openKeyRing({ db, envelope, clock })
  const hasher = await createPasswordHasher({
    queue: config.hashQueue,
    ...(lowCost?.hashCost && { cost: lowCost.hashCost }),
    onComputed: (milliseconds) => metrics.observePasswordHash(milliseconds),
  })
  const throttle = createThrottle(clock)
  const jobs = createJobs({ db, clock, log, metrics, parallel: PARALLEL_JOBS })
  const transportOf = (connections: number) =>
    config.smtpUrl
      ? smtpTransport({ url: config.smtpUrl, requireTls: config.smtpRequireTls, connections })
      : folderTransport(outboxOf(config))
  const transports = { users: transportOf(CONCURRENT_MAILS.users), teams: transportOf(CONCURRENT_MAILS.teams) }
  const brand = () => db.transaction(brandOf)
  const mailer = createMailer({ db, clock, config, envelope, jobs, log, metrics, transports, brand, isBlocked })
  const rotateKeys = { kind: 'keys.rotate', every: DAY, run: async () => void (await keys.rotate()) }
  for (const kind of [...mailer.jobKinds, purgeJob({ db, clock }, 'throttle.purge', THROTTLE_RETENTION), rotateKeys])
    jobs.register(kind)
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
  metrics.labelledGauge('keyward_database_connections', 'Database connections by state', 'state', () => ({
    used: db.pool.totalCount - db.pool.idleCount,
    idle: db.pool.idleCount,
  }))
  metrics.gauge(
    'keyward_database_connections_max',
    'Maximum number of database connections',
    () => db.pool.options.max ?? 0,
  )
  metrics.info('keyward_build_info', 'Version of the node', {
    version: VERSION,
    node: process.versions.node,
    database: config.databaseUrl ? 'postgresql' : 'embedded',
  })
  metrics.shared(jobBacklog({ db, clock }))
  const generatePair = lowCost?.generateRsaKeyPair
  const rsaKeyPairs = createRsaKeyPairs({ db, throttle, queueKeyOf, perHour: config.limits.rsaKeys, generatePair })
  const addressRules = createAddressRules({ allowPrivate: config.allowPrivateNetwork, dnsServers: config.dnsServers })
  return {
    config,
    clock,
    log,
    db,
    withGuard,
    metrics,
    envelope,
    keys,
    hasher,
    throttle,
    jobs,
    mailer,
    countries,
    rsaKeyPairs,
    addressRules,
    outbound: createOutbound(addressRules),
    txtRecords: createTxtRecords(config.dnsServers),
    /** Closes connections that jobs reuse between runs. Call it when the jobs have stopped. */
    closeConnections() {
      for (const transport of Object.values(transports)) transport.close()
    },
  }
}
