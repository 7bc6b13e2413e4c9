import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { makeTemplate } from './platform/db/embedded/make-template.js'
import { migrateDatabase } from './platform/db/migrate.js'
import { createLogger } from './platform/log.js'

// This process runs most of PostgreSQL's code once or twice: optimizing it takes longer than it saves.
setFlagsFromString('--liftoff-only')

/** Build step: the embedded database with the whole schema in it, ready to be copied at somebody's first start. */
const target = fileURLToPath(new URL('../dist/database-template', import.meta.url))
await makeTemplate(target, (connection) => migrateDatabase(connection, createLogger({ logLevel: 'silent' })))
