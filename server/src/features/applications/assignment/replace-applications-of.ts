import type { Transaction } from '../../../platform/db/database.js'
import { rejectStale } from '../../../platform/http/entity-tag.js'
import { type ApplicationId, type GroupId, parseId, type TeamId, type UserId } from '../../../platform/ids.js'
import type { ApplicationDeps } from '../deps.js'
import { rejection } from '../errors.js'
import type { AssigneeKind } from '../repository.js'
import { type AssignmentChange, assigneeRepository } from './assignee-repository.js'

/**
 * Replaces the set of applications that are assigned to a user or group, which the caller has locked. The number of statements does not
 * depend on the number of applications. The first assignment of an application closes it to all others. Runs in the caller's transaction.
 * @returns the change, for the audit entry
 * @param ifMatch header with the ETag of the set that the caller read
 * @throws application_not_found, stale_version: nothing has changed then
 */
export async function replaceApplicationsOf(
  tx: Transaction,
  { clock }: Pick<ApplicationDeps, 'clock'>,
  teamId: TeamId,
  [kind, assigneeId]: [kind: AssigneeKind, id: UserId | GroupId],
  applicationIds: string[],
  ifMatch?: string,
): Promise<AssignmentChange> {
  const ids = [...new Set(applicationIds.map((value) => parseId<ApplicationId>(value)))]
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
