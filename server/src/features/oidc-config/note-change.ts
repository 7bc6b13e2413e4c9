import type { Transaction } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import { type Application, countChange } from '../applications/index.js'
import type { AuditAction } from '../audit/index.js'
import { teamError } from '../teams/index.js'
import type { OidcConfigDeps } from './deps.js'

/** A step: every change of a configuration is counted with its application, which is how nodes notice, and recorded. */
export async function noteChange(
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

/** The names of those fields whose values differ, sorted. */
export const changedFields = <T extends object>(before: T, after: T): string[] =>
  Object.keys(after)
    .filter((field) => JSON.stringify(after[field as keyof T]) !== JSON.stringify(before[field as keyof T]))
    .sort()

/** @param what in the plural @throws limit_reached */
export function rejectBeyond(limit: number, count: number, what: string): void {
  if (count >= limit) throw teamError('limit_reached', { detail: `There are ${count} ${what}; the limit is ${limit}` })
}
