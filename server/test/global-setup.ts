import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrateDatabase } from '../src/platform/db/migrate.js'
import { createLogger } from '../src/platform/log.js'
import { onServer, SERVER_URL, TEMPLATE_DATABASE, templateUrl } from './test-database.js'

/** A folder for everything that lasts as long as the run; on PostgreSQL the migrated database that the others are copies of. */
export async function setup(): Promise<void> {
  process.env.KEYWARD_TEST_FOLDER = mkdtempSync(join(tmpdir(), 'keyward-test-run-'))
  if (!SERVER_URL) return
  await onServer(`DROP DATABASE IF EXISTS ${TEMPLATE_DATABASE} WITH (FORCE)`, `CREATE DATABASE ${TEMPLATE_DATABASE}`)
  await migrateDatabase({ connectionString: templateUrl() }, createLogger({ logLevel: 'silent' }))
}

export async function teardown(): Promise<void> {
  rmSync(process.env.KEYWARD_TEST_FOLDER as string, { recursive: true, force: true })
  if (!SERVER_URL) return
  await onServer(`DROP DATABASE IF EXISTS ${TEMPLATE_DATABASE} WITH (FORCE)`)
}
