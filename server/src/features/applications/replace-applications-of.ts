import type { Transaction } from '../../platform/db/database.js'
import { rejectStale } from '../../platform/http/entity-tag.js'
import { type ApplicationId, type GroupId, parseId, type TeamId, type UserId } from '../../platform/ids.js'
import { type AssignmentChange, assigneeRepository } from './assignee-repository.js'
import type { ApplicationDeps } from './deps.js'
import { rejection } from './errors.js'
import type { AssigneeKind } from './repository.js'

/**
 * A part of a step, for a user or a group that the caller has locked: makes `applicationIds` the whole set of applications that
 * are assigned to it, in as many statements however many there are. An application that had been assigned to nobody is closed to
 * all others from now on.
 * @returns what came, what went and what was closed, for the audit entry
 * @param ifMatch the header: the tag of the set that the caller read
 * @throws application_not_found for an id that is no application of the team, stale_version: then nothing has changed
 */
export async function replaceApplicationsOf(
  tx: Transaction,
  { clock }: Pick<ApplicationDeps, 'clock'>,
  teamId: TeamId,
  [kind, assigneeId]: [kind: AssigneeKind, id: UserId | GroupId],
  applicationIds: string[],
  ifMatch?: string,
): Promise<AssignmentChange> {
  const ids = [...new Set(applicationIds.map((text) => parseId<ApplicationId>(text)))]
  const repository = assigneeRepository(tx, teamId, kind, assigneeId)
  const known = await repository.lockTouched(ids.filter((id) => id !== undefined))
  const current = await repository.assigned()
  rejectStale(
    current.map(({ id }) => id),
    ifMatch,
  )
  if (!isKnown(ids) || ids.some((id) => !known.has(id))) throw rejection('application_not_found')
  return repository.replace(ids, clock.now())
}

const isKnown = (ids: (ApplicationId | undefined)[]): ids is ApplicationId[] => !ids.includes(undefined)
