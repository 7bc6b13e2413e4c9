import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** The PostgreSQL server to test on; unset = the embedded database. */
export const SERVER_URL = process.env.DATABASE_URL

/** Made once a run by the global set-up: every test file's database is a copy of it. The workers inherit its name. */
process.env.KEYWARD_TEST_TEMPLATE ??= `keyward_test_template_${process.pid}`
export const TEMPLATE_DATABASE = process.env.KEYWARD_TEST_TEMPLATE

const withDatabase = (name: string): string => {
  const url = new URL(SERVER_URL as string)
  url.pathname = `/${name}`
  return url.href
}

export async function onServer(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: withDatabase('postgres') })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

export const templateUrl = (): string => withDatabase(TEMPLATE_DATABASE)

export async function createTestDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `keyward_test_${randomBytes(6).toString('hex')}`
  // Copying waits while another test file copies.
  for (let attempt = 1; ; attempt++) {
    try {
      await onServer(
        `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE_DATABASE}`,
        // Only a crash of the server itself could tell the difference, and none of these databases outlives its file.
        `ALTER DATABASE ${name} SET synchronous_commit = off`,
      )
      break
    } catch (error) {
      if (attempt === 50 || (error as { code?: string }).code !== '55006') throw error
      await new Promise((resume) => setTimeout(resume, 50))
    }
  }
  return { url: withDatabase(name), drop: () => onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}
