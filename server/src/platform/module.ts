import type { ErrorTable } from './app-error.js'
import type { Transaction } from './db/database.js'
import type { SessionActor } from './http/actor.js'
import type { Dialect } from './http/dialect.js'
import type { Route } from './http/route.js'
import type { TeamId } from './ids.js'
import type { JobKind } from './jobs/jobs.js'
import type { MailKind } from './mail/mail-kind.js'
import type { ExpiryKind } from './metrics/expiries.js'
import type { SharedGauges } from './metrics/shared-gauges.js'

/** The contributions of a module to the service. `app.ts` lists the modules in their order and registers each field. */
export interface Module {
  routes?: Route[]
  /** The kinds of jobs, recurring or enqueued. */
  jobs?: JobKind[]
  /** The error codes that its routes declare. */
  errors?: ErrorTable
  /** The dialects of its protocols, which routes of any module select by name. */
  dialects?: Dialect[]
  mails?: MailKind[]
  /** The names of its resources in the audit log, by the kind of a resource (`kind:id`). */
  labels?: Record<string, Labeller>
  /** Its parts of the export of the own account, by their names in the export. */
  accountData?: Record<string, AccountData>
  /** Metrics that are read from its tables. */
  gauges?: SharedGauges[]
  /** Its keys and certificates that expire, for the metrics. */
  expiries?: ExpiryKind[]
  /** Completes before the service accepts requests. */
  startup?(): Promise<void>
  /** Completes after the last response and before the database is closed. */
  onClose?(): Promise<void>
}

/**
 * Returns the module's data about the caller, an unrestricted session, for the export of the own account: what the user may see, without
 * secrets and without data of other users, at most `MAX_EXPORTED` rows.
 */
export type AccountData = (actor: SessionActor) => Promise<Record<string, unknown>[]>

/** The maximum number of rows of each part of an export. */
export const MAX_EXPORTED = 1_000

/**
 * Returns the current names of resources of one kind in the team. IDs that do not exist in the team have no name. Runs in the caller's
 * transaction.
 */
export type Labeller = (tx: Transaction, teamId: TeamId, ids: string[]) => Promise<Map<string, string>>
