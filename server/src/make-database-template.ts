import { fileURLToPath } from 'node:url'
import { makeTemplate } from './platform/db/embedded/make-template.js'
import { migrateDatabase } from './platform/db/migrate.js'
import { createLogger } from './platform/log.js'

/** Build step: the embedded database with the whole schema in it, ready to be copied at somebody's first start. */
const target = fileURLToPath(new URL('./database-template', import.meta.url))
await makeTemplate(target, (connection) => migrateDatabase(connection, createLogger({ logLevel: 'silent' })))
