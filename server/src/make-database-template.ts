import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { makeTemplate } from './platform/db/embedded/make-template.js'
import { migrateDatabase } from './platform/db/migrate.js'
import { createLogger } from './platform/log.js'

// This process runs most of PostgreSQL's code once or twice, so optimizing it would take longer than it saves.
setFlagsFromString('--liftoff-only')

/** Build step: creates the embedded database with the whole schema, which the first start of an installation copies. */
const target = fileURLToPath(new URL('../dist/database-template', import.meta.url))
await makeTemplate(target, async (connection) => {
  await migrateDatabase(connection, createLogger({ logLevel: 'silent' }))
})
