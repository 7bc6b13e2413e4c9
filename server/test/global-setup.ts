import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder for everything that lasts as long as the run; on PostgreSQL the migrated database that the others are copies of. */
export async function setup(): Promise<void> {
  process.env.KEYWARD_TEST_FOLDER = mkdtempSync(join(tmpdir(), 'keyward-test-run-'))
  if (!process.env.DATABASE_URL) return
  // On the embedded database this process needs neither a driver nor migrations: loading them delays the first test.
  const [{ onServer, TEMPLATE_DATABASE, templateUrl }, { migrateDatabase }, { createLogger }] = await Promise.all([
    import('./test-database.js'),
    import('../src/platform/db/migrate.js'),
    import('../src/platform/log.js'),
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
