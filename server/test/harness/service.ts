import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { QueryConfig } from 'pg'
import { createApp } from '../../src/app.js'
import {
  type AccessClaims,
  type AccessTokens,
  createSessionTokens,
  type IssuedAccessToken,
} from '../../src/features/sessions/tokens/access-token.js'
import { readConfig } from '../../src/platform/config/config.js'
import { createEnvelope, type Envelope } from '../../src/platform/crypto/envelope.js'
import { type KeyRing, openKeyRing } from '../../src/platform/crypto/key-ring.js'
import type { GenerateRsaKeyPair } from '../../src/platform/crypto/rsa-key-pair.js'
import type { Database } from '../../src/platform/db/database.js'
import { statementName } from '../../src/platform/db/repeated-statements.js'
import { createLogger } from '../../src/platform/log.js'
import { openService, type Service } from '../../src/service.js'
import { type ApiRequest, type ApiResponse, createApi } from './api.js'
import { type ReceivedMail, readMails } from './mailbox.js'
import { lowCostSecrets } from './rsa-keys.mjs'
import { type SecondNode, startSecondNode } from './start-second-node.js'
import { createTestClock, type TestClock } from './test-clock.js'
import { replaceDatabase, SERVER_URL, takeDatabase } from './test-database.js'

export interface TestService {
  /** Sends one request. Two nodes receive requests alternately. */
  api(method: string, path: string, request?: ApiRequest): Promise<ApiResponse>
  /** The URLs of the nodes. */
  urls: string[]
  baseUrl: string
  clock: TestClock
  /** Waits until the nodes have run all due jobs. */
  settle(): Promise<void>
  /** Waits for due jobs and returns the written mails, oldest first. */
  mails(to?: string): Promise<ReceivedMail[]>
  /**
   * Runs SQL directly, for inspection and for changes that no route makes.
   * @param options `prepared` for a statement that is sent often, because planning a long one costs more than running it
   */
  sql<Row extends Record<string, unknown> = Record<string, unknown>>(
    text: string,
    values?: unknown[],
    options?: { prepared?: boolean },
  ): Promise<Row[]>
  /** Encrypts like the service. */
  envelope: Envelope
  /** The database of the node in this process. */
  db: Database
  /** The log lines of the node in this process, and the warnings and errors of the other. */
  logLines: string[]
  dataDir: string
  /** The settings of the nodes. */
  env: Readonly<Record<string, string>>
  /** Issues an access token like the service. */
  issueAccessToken(claims: AccessClaims, sessionEnd: Date): Promise<IssuedAccessToken>
  /** Returns the setup link that a start of the service prints; undefined if it prints none. */
  setupLink(): Promise<string | undefined>
  /** Restarts every node on the same data and clock, with the settings of `env` changed. */
  restart(env?: Record<string, string>): Promise<void>
  close(): Promise<void>
}

export interface TestServiceOptions {
  env?: Record<string, string>
  nodes?: number
  /** Changes the database URL of the service, for a proxy (PostgreSQL only). */
  databaseUrl?: (url: string) => string
  /** Hashes passwords at the cost of production, for tests of hashing, timing and load. */
  realHashing?: boolean
  /** Generates the RSA keys of the node in this process. Default: from a pool. */
  generateRsaKeyPair?: GenerateRsaKeyPair
  /** The statements that create the database of an earlier release, which the start migrates. Default: the schema of this build, empty. */
  database?: string
}

/** The default number of nodes. KEYWARD_TEST_NODES=2 runs the same tests against two processes. */
const NODES = SERVER_URL ? Number(process.env.KEYWARD_TEST_NODES ?? '1') : 1

/**
 * Starts a complete service on an empty database, embedded or on the server of DATABASE_URL. The first node runs in this process, a
 * second one in a separate process. Passwords are hashed at a low cost, and RSA keys come from a pool.
 */
export async function startService(options: TestServiceOptions = {}): Promise<TestService> {
  const dataDir = await mkdtemp(join(process.env.KEYWARD_TEST_FOLDER as string, 'data-'))
  const database = await takeDatabase()
  if (options.database) await replaceDatabase(database.settings, options.database)
  const databaseUrl = database.url && (options.databaseUrl?.(database.url) ?? database.url)
  const env: Record<string, string> = {
    DATA_DIR: dataDir,
    BASE_URL: 'http://localhost:3000',
    LOG_LEVEL: 'info',
    DATABASE_POOL: '8',
    ...(databaseUrl && { DATABASE_URL: databaseUrl, ENCRYPTION_KEY: randomBytes(32).toString('base64') }),
    ...options.env,
  }
  const logLines: string[] = []
  const others: SecondNode[] = []
  const urls: string[] = []
  const clock = createTestClock(async (offset) => {
    for (const other of others) await other.moveClock(offset)
  })
  let config = readConfig(env)
  type OpenAccessTokens = () => Promise<{ keys: KeyRing; tokens: AccessTokens }>
  let openAccessTokens: OpenAccessTokens | undefined
  let accessTokens: ReturnType<OpenAccessTokens> | undefined
  let openEnvelope: Envelope | undefined

  async function start(): Promise<Service> {
    config = readConfig(env)
    const log = createLogger(config, { write: (line) => void logLines.push(line) })
    const { hashCost, ...pool } = lowCostSecrets('service')
    const generateRsaKeyPair = options.generateRsaKeyPair ?? pool.generateRsaKeyPair
    const lowCost = options.realHashing ? { generateRsaKeyPair } : { generateRsaKeyPair, hashCost }
    const started = await openService({
      config,
      log,
      clock,
      createApp: (parts) => {
        const envelope = createEnvelope(parts.config.encryptionKeys)
        openEnvelope = envelope
        openAccessTokens = async () => {
          const keys = await openKeyRing({ db: parts.db, envelope, clock })
          return { keys, tokens: createSessionTokens({ keys, clock, baseUrl: config.baseUrl }) }
        }
        accessTokens = undefined
        return createApp({ ...parts, lowCost })
      },
      openEmbedded: async () => ({
        // Concurrent requests of a test wait longer than in production: a busy machine must not make it fail.
        settings: { ...database.settings, max: 1, maxWaitMs: 20_000 },
        crashed: database.crashed,
        close: async () => {},
      }),
    })
    urls.push(`http://localhost:${await started.listen(0)}`)
    for (let node = 1; databaseUrl && node < (options.nodes ?? NODES); node++) {
      const addLine = (line: string) => void logLines.push(line)
      const other = await startSecondNode({ ...env, LOG_LEVEL: 'warn' }, addLine, options.realHashing)
      others.push(other)
      urls.push(`http://localhost:${other.port}`)
    }
    await clock.advance(0)
    return started
  }

  async function stop(): Promise<void> {
    for (const other of others.splice(0)) await other.stop()
    // A failed start leaves nothing running.
    if (urls.length > 0) await running?.close()
    urls.length = 0
  }

  let running: Service | undefined = await start()
  const service = (): Service => {
    if (!running) throw new Error('The service is closed')
    return running
  }
  const sql: TestService['sql'] = async (text, values = [], { prepared = false } = {}) => {
    const name = prepared ? { name: statementName(text) } : {}
    const query: QueryConfig & { query_timeout: number } = { ...name, text, values, query_timeout: 60_000 }
    return (await service().database.pool.query(query)).rows
  }
  const settle = async () => {
    for (;;) {
      await service().jobs.drain()
      // A recurring job that another node is running may still enqueue others.
      const [row] = await sql<{ due: number }>(
        `SELECT count(*)::int AS due FROM jobs
         WHERE failed_at IS NULL AND run_at <= $1 AND (unique_name IS NULL OR leased_until > $1)`,
        [clock.now()],
        { prepared: true },
      )
      if (row?.due === 0) break
      await new Promise((resume) => setTimeout(resume, 20))
    }
    for (const other of others) await other.flushLog()
  }

  return {
    api: createApi(urls, () => service().http.swagger()),
    urls,
    get baseUrl() {
      return config.baseUrl
    },
    clock,
    settle,
    async mails(to) {
      await settle()
      const all = await readMails(dataDir)
      return to === undefined ? all : all.filter((mail) => mail.to === to)
    },
    sql,
    get db() {
      return service().database
    },
    get envelope() {
      if (!openEnvelope) throw new Error('The service is closed')
      return openEnvelope
    },
    logLines,
    dataDir,
    env,
    async issueAccessToken(claims, sessionEnd) {
      accessTokens ??= openAccessTokens?.()
      if (!accessTokens) throw new Error('The service is closed')
      const { keys, tokens } = await accessTokens
      await keys.reloadIfIdle()
      return tokens.issue(claims, sessionEnd)
    },
    async setupLink() {
      const hint = await service().createSetupLink()
      return hint && hint !== 'by_mail' ? hint.link : undefined
    },
    async restart(other = {}) {
      await stop()
      Object.assign(env, other)
      running = await start()
    },
    async close() {
      const leaks = await emailAddressesInEntries(sql)
      await stop()
      // The runner retains each test file with its references; a whole service would be ten megabytes per file.
      running = undefined
      openAccessTokens = undefined
      accessTokens = undefined
      await database.release()
      await rm(dataDir, { recursive: true, force: true })
      if (leaks.length > 0) throw new Error(`Audit entries have plain email addresses: ${JSON.stringify(leaks)}`)
    },
  }
}

/**
 * Returns entries whose metadata has an email address in plain text, which erasure could not remove: `personal-members.ts` must name the
 * member. Returns none if the database cannot be reached.
 */
const emailAddressesInEntries = (sql: TestService['sql']) =>
  sql(
    "SELECT action, metadata FROM audit_entries WHERE format = 2 AND metadata::text ~* '[a-z0-9]@[a-z0-9-]+[.][a-z]' LIMIT 3",
  ).catch(() => [])
