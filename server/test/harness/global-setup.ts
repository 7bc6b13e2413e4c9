import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates the folder of the run and, on PostgreSQL, the migrated template database. */
export async function setup(): Promise<void> {
  process.env.KEYWARD_TEST_FOLDER = mkdtempSync(join(tmpdir(), 'keyward-test-run-'))
  if (!process.env.DATABASE_URL) return
  // The embedded database needs neither the driver nor migrations in this process. Loading them would delay the first test.
  const [{ onServer, TEMPLATE_DATABASE, templateUrl }, { migrateDatabase }, { createLogger }] = await Promise.all([
    import('./test-database.js'),
    import('../../src/platform/db/migrate.js'),
    import('../../src/platform/log.js'),
  ])
  await onServer(`DROP DATABASE IF EXISTS ${TEMPLATE_DATABASE} WITH (FORCE)`, `CREATE DATABASE ${TEMPLATE_DATABASE}`)
  await migrateDatabase({ connectionString: templateUrl() }, createLogger({ logLevel: 'silent' }))
}

export async function teardown(): Promise<void> {
  rmSync(process.env.KEYWARD_TEST_FOLDER as string, { recursive: true, force: true })
  if (!process.env.DATABASE_URL) return
  const { onServer, TEMPLATE_DATABASE } = await import('./test-database.js')
  await onServer(`DROP DATABASE IF EXISTS ${TEMPLATE_DATABASE} WITH (FORCE)`)
}
