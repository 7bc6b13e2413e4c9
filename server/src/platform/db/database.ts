import type { SQL } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { PgDialect } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { retryLater } from '../errors.js'
import type { Logger } from '../log.js'
import { createAvailability } from './availability.js'
import {
  isConnectionDoubtful,
  isConnectionLost,
  isDeadlock,
  isPreparedOutdated,
  isRetryable,
  isUnreachable,
  unavailableIfDown,
} from './database-errors.js'
import { type NamedQuery, valuesByPosition } from './named-query.js'
import { nameOfRepeated, statementName } from './repeated-statements.js'
import { createTransactionSlots, reservedConnections } from './transaction-slots.js'

/** Runs a named query, in a transaction or on the pool. */
export interface Runner {
  run<Row, Values extends object>(query: NamedQuery<Row, Values>, values: NoInfer<Values>): Promise<Row[]>
}

type Builder = Pick<NodePgDatabase, 'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | 'execute'>

/** An open transaction. Helpers take it as their first argument. Queries outside of it would deadlock with a single connection. */
export interface Transaction extends Builder, Runner {
  /**
   * Runs `act` when the work of the transaction is done, before the commit, in the order of the calls. For a lock that must be the last one, so
   * that its holder never waits for another. The transaction rolls back if it throws.
   */
  beforeCommit(act: () => Promise<void>): void
  /** Runs `act` after the commit, such as waking a worker; never after a rollback. */
  afterCommit(act: () => void): void
}

export interface Database extends Runner {
  /**
   * Runs a transaction (READ COMMITTED): commits, or rolls back if `work` throws. Runs `work` up to three times in total, after a deadlock,
   * a serialization failure, or a foreign key violation by a concurrent delete. `work` must therefore have no effects outside the
   * database.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * Runs a single reading statement, which sees one snapshot of the database.
   * @param prepared whether each connection prepares it. Only for few different statements, because each remains prepared.
   */
  read<Row>(statement: SQL, options?: { prepared?: boolean }): Promise<Row[]>
  /**
   * Runs a single writing statement in its own transaction, without the round trips of BEGIN and COMMIT. Retried like `transaction`. For
   * maintenance that no request causes and no audit entry records.
   * @returns the number of rows
   */
  execute(statement: SQL): Promise<number>
  /** Returns whether the database responds. */
  ping(): Promise<boolean>
  /** Whether the database is known to be unavailable: requests fail at once until it can be reached again. */
  readonly isUnavailable: boolean
  /** The number of requests that wait for a connection. */
  readonly waiting: number
  /** The pool, for migrations. */
  readonly pool: pg.Pool
  close(): Promise<void>
}

export interface TransactionOptions {
  /** Milliseconds per statement, if a statement can take longer than the five seconds of a request. */
  patienceMs?: number
  /** Whether the transaction only reads, and all its statements see the same snapshot. */
  readsOneState?: boolean
}

export type PoolSettings = Pick<
  pg.PoolConfig,
  'stream' | 'connectionString' | 'host' | 'port' | 'user' | 'database' | 'max'
> & {
  /** Milliseconds that a request waits for a connection before it gets 503. */
  maxWaitMs?: number
}

const ATTEMPTS = 3
/** Prepared statements of a connection, each 20 to 200 KiB in PostgreSQL. A connection with more is closed. */
const MAX_PREPARED = 400
/** Milliseconds that the driver waits for a response. */
const QUERY_TIMEOUT = 4_800
const MAX_WAIT = 4_000
/** Milliseconds of a connection attempt beside the pool. */
const VERIFICATION_TIMEOUT = 1_500
const MAX_CONNECTIONS = 20

/** Sets the driver's timeout, which it reads before each query; its types do not declare it. */
function waitAtMost(client: pg.PoolClient, ms: number): void {
  const { connectionParameters } = client as unknown as { connectionParameters: { query_timeout: number } }
  connectionParameters.query_timeout = ms
}

/** Sets the statement timeout until the end of the transaction. The driver waits slightly longer than the database. */
async function bePatient(client: pg.PoolClient, ms: number): Promise<void> {
  waitAtMost(client, ms + 300)
  await client.query(`SET LOCAL statement_timeout = ${Math.trunc(ms)}`)
}

const unavailable = () => retryLater('unavailable', 2, new Error('The database is unavailable'))

/** The next query reports the loss. */
const ignoreLoss = (): void => {}

class PooledTransaction {
  readonly beforeCommitActs: (() => Promise<void>)[] = []
  readonly afterCommitActs: (() => void)[] = []
  constructor(
    readonly client: pg.PoolClient,
    readonly builder: NodePgDatabase,
  ) {}
  get handle(): Transaction {
    const { client, builder } = this
    return {
      select: builder.select.bind(builder) as Transaction['select'],
      selectDistinct: builder.selectDistinct.bind(builder) as Transaction['selectDistinct'],
      insert: builder.insert.bind(builder),
      update: builder.update.bind(builder),
      delete: builder.delete.bind(builder),
      execute: builder.execute.bind(builder),
      run: (query, values) => runNamed(client, query, values),
      beforeCommit: (act) => void this.beforeCommitActs.push(act),
      afterCommit: (act) => void this.afterCommitActs.push(act),
    }
  }
}

const BEGIN = 'BEGIN'
const BEGIN_READING = 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY'
const dialect = new PgDialect()

async function runNamed<Row, Values extends object>(
  client: pg.PoolClient,
  query: NamedQuery<Row, Values>,
  values: Values,
): Promise<Row[]> {
  const { name, text } = query
  const result = await client.query({ name, text, values: valuesByPosition(query, values) })
  return result.rows as Row[]
}

/** Returns the connection for the query builder, which prepares a repeated statement and adds its name to `names`. */
function namingRepeated(client: pg.PoolClient, names: Set<string>): pg.PoolClient {
  const query = (config: pg.QueryConfig, values?: unknown[]) => {
    const name = config.name || nameOfRepeated(config.text)
    if (name === undefined) return client.query(config, values)
    names.add(name)
    return client.query({ ...config, name }, values)
  }
  return new Proxy(client, { get: (target, key) => (key === 'query' ? query : Reflect.get(target, key)) })
}

/** Opens and closes a connection. Any response of the server shows that it is reachable. */
async function canConnect(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: VERIFICATION_TIMEOUT })
  client.on('error', ignoreLoss)
  try {
    await client.connect()
    return true
  } catch (error) {
    return !isUnreachable(error)
  } finally {
    void client.end().catch(ignoreLoss)
  }
}

/** Creates the pool without connecting: the first query connects. */
export function openDatabase({ maxWaitMs = MAX_WAIT, ...settings }: PoolSettings, log: Logger): Database {
  const pool = new pg.Pool({
    max: MAX_CONNECTIONS,
    ...settings,
    application_name: 'keyward',
    connectionTimeoutMillis: maxWaitMs,
    idleTimeoutMillis: 30_000,
    // A hanging database must not delay a request by more than five seconds; an abandoned transaction must not hold its locks.
    query_timeout: QUERY_TIMEOUT,
    statement_timeout: 4_500,
    idle_in_transaction_session_timeout: 30_000,
    lock_timeout: 4_000,
    keepAlive: true,
  })
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'))
  const { connectionString, max = MAX_CONNECTIONS } = settings
  const slots = createTransactionSlots(max - reservedConnections(max), maxWaitMs)
  // The embedded database has no URL, and the process ends with it.
  const availability = connectionString
    ? createAvailability(
        () => canConnect(connectionString),
        () => slots.rejectWaiting(unavailable()),
      )
    : undefined
  const builders = new WeakMap<pg.PoolClient, NodePgDatabase>()
  const prepared = new WeakMap<pg.PoolClient, Set<string>>()

  function builderOf(client: pg.PoolClient): NodePgDatabase {
    let builder = builders.get(client)
    if (!builder) {
      const names = new Set<string>()
      prepared.set(client, names)
      builder = drizzle({ client: namingRepeated(client, names) })
      builders.set(client, builder)
    }
    return builder
  }

  /** Returns a connection to the pool, which closes it if it is broken or has prepared too many statements. */
  function release(client: pg.PoolClient, broken: Error | undefined): void {
    client.release(broken ?? (prepared.get(client)?.size ?? 0) > MAX_PREPARED)
  }

  /** @throws unavailable for any reason: the client can only retry later */
  async function connect(): Promise<pg.PoolClient> {
    if (availability?.isUnavailable) throw unavailable()
    return pool.connect().catch((error: unknown) => {
      availability?.verify()
      throw retryLater('unavailable', 2, error)
    })
  }

  /** Returns whether the connection cannot be reused. A lost connection can be the first sign of an unavailable database. */
  function isBroken(error: unknown): error is Error {
    const isLost = isConnectionLost(error)
    if (isLost) availability?.verify()
    return isLost || isConnectionDoubtful(error)
  }

  async function attempt<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions): Promise<T> {
    if (availability?.isUnavailable) throw unavailable()
    await slots.acquire()
    try {
      return await transact(work, options)
    } finally {
      slots.release()
    }
  }

  async function transact<T>(
    work: (tx: Transaction) => Promise<T>,
    { patienceMs, readsOneState = false }: TransactionOptions,
  ): Promise<T> {
    const client = await connect()
    // A loss between two queries emits an `error` event, which would end the process without a listener.
    client.on('error', ignoreLoss)
    const transaction = new PooledTransaction(client, builderOf(client))
    let broken: Error | undefined
    try {
      await client.query(readsOneState ? BEGIN_READING : BEGIN)
      if (patienceMs !== undefined) await bePatient(client, patienceMs)
      const result = await work(transaction.handle)
      for (const act of transaction.beforeCommitActs) await act()
      await client.query('COMMIT')
      for (const act of transaction.afterCommitActs) act()
      return result
    } catch (error) {
      // A lost connection, or one on which ROLLBACK fails, is closed.
      if (isBroken(error)) broken = error
      else
        await client.query('ROLLBACK').catch((failure: Error) => {
          broken = failure
        })
      throw error
    } finally {
      if (patienceMs !== undefined) waitAtMost(client, QUERY_TIMEOUT)
      client.off('error', ignoreLoss)
      release(client, broken)
    }
  }

  /** Runs `work` up to three times in total if the error is retryable. */
  async function withRetries<T>(work: () => Promise<T>): Promise<T> {
    for (let count = 1; ; count++) {
      try {
        return await work()
      } catch (error) {
        // Each idle connection can have an outdated statement.
        if (isPreparedOutdated(error) && count <= (pool.options.max ?? 0)) continue
        // Two transactions locked the same rows in different orders, which is a bug even if a retry succeeds.
        if (isDeadlock(error)) log.warn({ err: error }, 'a transaction was rolled back to resolve a deadlock')
        if (count >= ATTEMPTS || !isRetryable(error)) throw error
      }
    }
  }

  /** Runs a query outside of a transaction. */
  async function alone<T>(query: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await connect()
    client.on('error', ignoreLoss)
    let broken: Error | undefined
    try {
      return await query(client)
    } catch (error) {
      if (isBroken(error)) broken = error
      throw unavailableIfDown(error)
    } finally {
      client.off('error', ignoreLoss)
      release(client, broken)
    }
  }

  return {
    pool,
    get isUnavailable() {
      return availability?.isUnavailable ?? false
    },
    get waiting() {
      return pool.waitingCount + slots.waiting
    },
    async transaction(work, options = {}) {
      try {
        return await withRetries(() => attempt(work, options))
      } catch (error) {
        throw unavailableIfDown(error)
      }
    },
    run: (query, values) => alone((client) => runNamed(client, query, values)),
    async read<Row>(statement: SQL, { prepared = false } = {}) {
      const { sql: text, params: values } = dialect.sqlToQuery(statement)
      const query = { text, values, ...(prepared && { name: statementName(text) }) }
      return alone(async (client) => (await client.query(query)).rows as Row[])
    },
    execute: (statement) =>
      withRetries(() => alone(async (client) => (await builderOf(client).execute(statement)).rowCount ?? 0)),
    ping: () =>
      pool.query('SELECT 1').then(
        () => true,
        () => false,
      ),
    close() {
      availability?.stop()
      return pool.end()
    },
  }
}
