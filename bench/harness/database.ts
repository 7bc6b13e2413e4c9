import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Client } from './server-library.js'

/** The PostgreSQL server. The run creates and drops its databases. */
export const SERVER_URL = process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'

export interface BenchDatabase {
  url: string
  /** Processor time of the connections to this database on the server, in µs; null if the server is another machine. */
  micros(): Promise<number | null>
  drop(): Promise<void>
}

/** Creates an empty database. */
export async function createDatabase(): Promise<BenchDatabase> {
  const admin = new Client({ connectionString: SERVER_URL })
  await admin.connect()
  const name = `keyward_bench_${randomBytes(6).toString('hex')}`
  await admin.query(`CREATE DATABASE ${name}`)
  const url = new URL(SERVER_URL)
  url.pathname = `/${name}`
  // Closed connections keep their last reading.
  const used = new Map<number, number>()
  return {
    url: url.href,
    async micros() {
      const { rows } = await admin.query('SELECT pid FROM pg_stat_activity WHERE datname = $1', [name])
      for (const { pid } of rows) {
        const micros = backendMicros(Number(pid))
        if (micros === null) return null
        used.set(Number(pid), micros)
      }
      return [...used.values()].reduce((sum, micros) => sum + micros, 0)
    },
    async drop() {
      await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      await admin.end()
    },
  }
}

export async function serverVersion(): Promise<string> {
  const client = new Client({ connectionString: SERVER_URL })
  await client.connect()
  const { rows } = await client.query('SHOW server_version')
  await client.end()
  return String(rows[0]?.server_version)
}

/** A backend is a process with one thread. Its ID is valid here only if the server runs on this machine. */
function backendMicros(pid: number): number | null {
  try {
    if (!readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres')) return null
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000
  } catch {
    return null
  }
}
