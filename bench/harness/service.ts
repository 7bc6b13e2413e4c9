import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Child, startChild } from './child.js'
import { type BenchDatabase, createDatabase } from './database.js'
import { discardLater } from './leftovers.js'

const PROGRAM = new URL('../children/service.mjs', import.meta.url)

export type Store = 'PostgreSQL' | 'embedded'

export interface RunningService extends Child {
  store: Store
  /** Undefined on the embedded database. */
  database: BenchDatabase | undefined
  sql<Row>(text: string, values?: unknown[]): Promise<Row[]>
  /** Waits until the background work of the requests is done: mails, links, seals of the audit log. */
  drain(): Promise<void>
}

/** All load comes from one IP address, which the limits would block. All other settings have their defaults. */
export const SETTINGS = { LIMIT_REGISTRATIONS: '1000000', LIMIT_SOURCE_FAILURES: '1000000' }

export async function startService(
  build: URL,
  store: Store,
  env: Record<string, string> = {},
): Promise<RunningService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'keyward-bench-'))
  const database = store === 'PostgreSQL' ? await createDatabase() : undefined
  const discard = discardLater(async () => {
    await database?.drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  try {
    const child = await startChild(PROGRAM, build, {
      DATA_DIR: dataDir,
      ...(database && { DATABASE_URL: database.url, ENCRYPTION_KEY: randomBytes(32).toString('base64') }),
      ...SETTINGS,
      ...env,
    })
    const sql: RunningService['sql'] = (text, values = []) => child.call('sql', { text, values })
    return {
      ...child,
      store,
      database,
      sql,
      drain: () => drain(sql),
      async stop() {
        await child.stop()
        await discard()
      },
    }
  } catch (error) {
    await discard()
    throw error
  }
}

async function drain(sql: RunningService['sql']): Promise<void> {
  for (;;) {
    const [left] = await sql<{ jobs: number; entries: number }>(
      `SELECT (SELECT count(*)::int FROM jobs WHERE unique_name IS NULL AND failed_at IS NULL) AS jobs,
         (SELECT count(*)::int FROM audit_pending) AS entries`,
    )
    if (left?.jobs === 0 && left.entries === 0) return
    await new Promise((resume) => setTimeout(resume, 250))
  }
}
