import type { Clock } from '../../../platform/clock.js'
import type { Database } from '../../../platform/db/database.js'
import { rejection } from '../../../platform/errors.js'
import type { Actor } from '../../../platform/http/actor.js'
import type { TeamId } from '../../../platform/ids.js'
import type { Audit } from '../record.js'
import type { AuditNames } from './labels.js'

export interface LogDeps {
  db: Database
  clock: Clock
  audit: Audit
  names: AuditNames
}

export interface Scope {
  scope?: 'team' | 'instance'
}

/**
 * Authorizes access to a log. Returns its team, or null for the log of the instance.
 * @throws forbidden for the log of the instance, if the caller does not administer the instance
 */
export function authorizeLog(actor: Actor, { scope }: Scope): TeamId | null {
  if (scope !== 'instance') return actor.teamId
  if (!actor.instanceAdmin)
    throw rejection('forbidden', { detail: "Only administrators of the instance can read the instance's log" })
  return null
}
