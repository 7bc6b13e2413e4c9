import type { Transaction } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import { type Application, countChange } from '../applications/index.js'
import type { AuditAction } from '../audit/index.js'
import { teamError } from '../teams/index.js'
import type { OidcConfigDeps } from './deps.js'

/** Increments the version of the application, which invalidates caches, and records the change. Runs in the caller's transaction. */
export async function recordChange(
  tx: Transaction,
  { clock, audit }: Pick<OidcConfigDeps, 'clock' | 'audit'>,
  actor: Actor,
  application: Application,
  action: AuditAction,
  metadata: Record<string, unknown>,
): Promise<void> {
  await countChange(tx, clock, application)
  await audit.record(tx, actor, action, { resource: `application:${application.id}`, metadata })
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
