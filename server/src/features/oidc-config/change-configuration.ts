import type { Transaction } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import { parseId, type TeamId } from '../../platform/ids.js'
import {
  type Application,
  applicationError,
  countChange,
  findApplication,
  lockApplication,
} from '../applications/index.js'
import type { AuditAction } from '../audit/index.js'
import { teamError } from '../teams/index.js'
import type { OidcConfigDeps } from './deps.js'
import { rejection } from './errors.js'

/** Returns the OpenID Connect application. Runs in the caller's transaction. @throws application_not_found, application_not_oidc */
export const findOidcApplication = async (tx: Transaction, teamId: TeamId, id: string): Promise<Application> =>
  requireOidc(await findApplication(tx, teamId, id))

function requireOidc(application: Application): Application {
  if (application.type !== 'OIDC') throw applicationError('application_not_oidc')
  return application
}

interface ConfigurationChange {
  tx: Transaction
  application: Application
  /** Increments the version of the application, which invalidates caches, and records the change. */
  record: (action: AuditAction, metadata: Record<string, unknown>) => Promise<void>
}

/**
 * Runs `change` in a transaction that has locked the application, so that changes of its configuration are serialized.
 * @throws application_not_found, application_not_oidc
 */
export const changeConfiguration = <Result>(
  { db, clock, audit }: OidcConfigDeps,
  actor: Actor,
  appId: string,
  change: (context: ConfigurationChange) => Promise<Result>,
): Promise<Result> =>
  db.transaction(async (tx) => {
    const application = requireOidc(await lockApplication(tx, actor.teamId, appId))
    return change({
      tx,
      application,
      record: async (action, metadata) => {
        await countChange(tx, clock, application)
        await audit.record(tx, actor, action, { resource: `application:${application.id}`, metadata })
      },
    })
  })

/** Returns the entry with an ID. @throws `missing` for an unknown or malformed ID */
export function requireEntry<Entry extends { id: string }>(
  entries: Entry[],
  id: string,
  missing: Parameters<typeof rejection>[0],
): Entry {
  const known = parseId(id)
  const entry = entries.find((one) => one.id === known)
  if (!entry) throw rejection(missing)
  return entry
}

/** Returns the sorted names of the fields with different values. */
export const changedFields = <T extends object>(before: T, after: T): string[] =>
  Object.keys(after)
    .filter((field) => JSON.stringify(after[field as keyof T]) !== JSON.stringify(before[field as keyof T]))
    .sort()

/** @param what plural noun for the message @throws limit_reached */
export function rejectBeyond(limit: number, count: number, what: string): void {
  if (count >= limit) throw teamError('limit_reached', { detail: `There are ${count} ${what}; the limit is ${limit}` })
}
