import type { Clock } from '../../platform/clock.js'
import type { Database } from '../../platform/db/database.js'
import { rejection } from '../../platform/errors.js'
import type { Actor } from '../../platform/http/actor.js'
import type { TeamId } from '../../platform/ids.js'
import type { AuditNames } from './labels.js'
import type { Audit } from './record.js'

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
 * Which log is meant: the team of the request, or null for the instance's.
 * @throws forbidden when the instance's is asked for by somebody who does not administer it
 */
export function logOf(actor: Actor, { scope }: Scope): TeamId | null {
  if (scope !== 'instance') return actor.teamId
  if (!actor.instanceAdmin)
    throw rejection('forbidden', { detail: "The instance's log is open to administrators of the instance" })
  return null
}
