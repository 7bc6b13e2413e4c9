import { migrateDatabase } from '../src/platform/db/migrate.js'
import { createLogger } from '../src/platform/log.js'
import { onServer, SERVER_URL, TEMPLATE_DATABASE, templateUrl } from './test-database.js'
import { removeTranslation, translateWorker } from './translate-worker.js'

/** On PostgreSQL: one migrated database, of which each test file gets a copy. Else what each embedded database needs. */
export async function setup(): Promise<void> {
  if (!SERVER_URL) return translateWorker()
  await onServer(`DROP DATABASE IF EXISTS ${TEMPLATE_DATABASE} WITH (FORCE)`, `CREATE DATABASE ${TEMPLATE_DATABASE}`)
  await migrateDatabase({ connectionString: templateUrl() }, createLogger({ logLevel: 'silent' }))
}

export async function teardown(): Promise<void> {
  if (!SERVER_URL) return removeTranslation()
  await onServer(`DROP DATABASE IF EXISTS ${TEMPLATE_DATABASE} WITH (FORCE)`)
}
