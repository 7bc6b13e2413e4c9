/**
 * Outbox: the mails of a local instance without a mail server, for its administrators.
 *
 * In this module: list and read the files that the platform writes instead of sending mails. Not here: the mails themselves (each module),
 * sending (`platform/mail`).
 * Tables: none. Errors: outbox_not_available, mail_not_found. Audit: mail.read.
 */
import type { Module } from '../../platform/module.js'
import { OUTBOX_ERRORS } from './errors.js'
import type { OutboxDeps } from './read-outbox.js'
import { outboxRoutes } from './routes.js'

export { isOutboxReadable } from './read-outbox.js'

export const createOutbox = (deps: OutboxDeps): Module => ({ routes: outboxRoutes(deps), errors: OUTBOX_ERRORS })
