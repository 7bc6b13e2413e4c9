import type { Transaction } from '../../../platform/db/database.js'
import { rejection as platformError } from '../../../platform/errors.js'
import type { Actor } from '../../../platform/http/actor.js'
import { declaredFields } from '../../../platform/http/declared-fields.js'
import { parseId, type TeamId, type UserId } from '../../../platform/ids.js'
import { findGroup } from '../../groups/index.js'
import { memberAddresses } from '../../members/index.js'
import type { UserRole } from '../../permissions/index.js'
import type { UserDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { userRepository } from '../repository.js'
import { invalidField } from '../requested-time.js'
import { cancelRun, isOpen } from '../runs/cancel-runs.js'
import type { BulkAction } from '../runs/deps.js'
import { type Run, runRepository } from '../runs/repository.js'
import { startRun } from '../runs/start-run.js'
import { UserFilterBody } from '../schema.js'
import { filterOf, type RequestedFilter } from '../user-filter.js'
import { PERMISSIONS } from './bulk-kind.js'

/** Users of one run. */
export const MAX_USERS = 20_000

export interface RequestedBulk {
  action: BulkAction['name']
  users?: string[]
  filter?: RequestedFilter
  groupId?: string
  role?: UserRole
}

/** A run with the email addresses of the users that failed and are in the team. */
export interface ShownBulk {
  run: Run
  emails: Map<string, string>
}

/**
 * Starts a change of many users, or queues it while another run of the team is running. A filter selects the users now; each is changed like
 * by the route of the single user, with the caller's permissions at that time.
 * @throws invalid_request, forbidden, group_not_found, application_not_found; rate_limited while many runs of the team wait
 */
export async function startBulk(
  deps: UserDeps,
  actor: Actor,
  wanted: RequestedBulk,
): Promise<Pick<Run, 'id' | 'status' | 'total'>> {
  const { users, filter } = wanted
  if ((users === undefined) === (filter === undefined))
    throw invalidField('/users', 'must be given without filter, or filter without users')
  const requested = actionOf(wanted)
  const permission = PERMISSIONS[requested.name]
  if (!actor.permissions.has(permission))
    throw platformError('forbidden', { detail: `The action ${requested.name} requires the permission ${permission}` })
  return deps.db.transaction(async (tx) => {
    const action = await inTeam(tx, actor.teamId, requested)
    const ids = filter ? await selectedBy(tx, actor, filter) : distinct(users ?? [])
    const started = await startRun(tx, deps, actor, {
      action,
      dryRun: false,
      onboardingMethod: 'none',
      rows: ids.map((userId) => ({ userId })),
      failures: [],
    })
    await deps.audit.record(tx, actor, 'users.bulk_changed', {
      resource: `bulk:${started.id}`,
      metadata: {
        status: 'started',
        total: ids.length,
        ...auditedAction(action),
        ...(filter && { filter: withoutSearch(declaredFields(filter, UserFilterBody)) }),
      },
    })
    return started
  })
}

/** A search string can be the name of a person: the entry only records that there was one. */
const withoutSearch = ({ search, ...filter }: RequestedFilter) => ({
  ...filter,
  ...(search !== undefined && { search: true }),
})

/** Returns the distinct IDs. A malformed one is kept: its row fails like that of an unknown ID. */
const distinct = (ids: string[]): string[] => [...new Set(ids.map((id) => id.toLowerCase()))]

async function selectedBy(tx: Transaction, actor: Actor, filter: RequestedFilter): Promise<UserId[]> {
  const ids = await userRepository(tx, actor.teamId).idsOf(await filterOf(tx, actor, filter), MAX_USERS + 1)
  if (ids.length > MAX_USERS) throw invalidField('/filter', `selects more than ${MAX_USERS} users`)
  return ids
}

const auditedAction = ({ name, ...values }: BulkAction) => ({ action: name, ...values })

/** @throws invalid_request if a value of the action is missing */
function actionOf({ action: name, groupId, role }: RequestedBulk): BulkAction {
  if (name === 'set_role') {
    if (role === undefined) throw invalidField('/role', 'is required for the action set_role')
    return { name, role }
  }
  if (name === 'add_to_group' || name === 'remove_from_group') {
    if (groupId === undefined) throw invalidField('/groupId', `is required for the action ${name}`)
    return { name, groupId }
  }
  return { name }
}

/** Returns the action with the canonical ID of its group. @throws group_not_found */
const inTeam = async (tx: Transaction, teamId: TeamId, action: BulkAction): Promise<BulkAction> =>
  'groupId' in action ? { ...action, groupId: (await findGroup(tx, teamId, action.groupId)).id } : action

/** @throws run_not_found */
export const readBulk = ({ db }: UserDeps, { teamId }: Actor, id: string): Promise<ShownBulk> =>
  db.transaction(async (tx) => shown(tx, await findBulk(tx, teamId, id)))

/**
 * Cancels a queued bulk change, or a running one after its current batch. Rows that are done stay.
 * @throws run_not_found, run_finished; forbidden for a caller who did not start it and lacks the permission of its action
 */
export const cancelBulk = (deps: UserDeps, actor: Actor, id: string): Promise<ShownBulk> =>
  deps.db.transaction(async (tx) => {
    const run = await findBulk(tx, actor.teamId, id, { lock: true })
    const permission = PERMISSIONS[(run.action as BulkAction).name]
    if (run.startedBy !== actor.userId && !actor.permissions.has(permission))
      throw platformError('forbidden', { detail: `This requires the permission ${permission}` })
    if (!isOpen(run)) throw rejection('run_finished')
    return shown(tx, await cancelRun(tx, deps, actor, run))
  })

async function findBulk(tx: Transaction, teamId: TeamId, id: string, options?: { lock: boolean }): Promise<Run> {
  const run = await runRepository(tx, teamId).find('bulk', id, options)
  if (!run) throw rejection('run_not_found')
  return run
}

async function shown(tx: Transaction, run: Run): Promise<ShownBulk> {
  const ids = run.failures.flatMap(({ userId = '' }) => parseId<UserId>(userId) ?? [])
  return { run, emails: await memberAddresses(tx, run.organizationId, ids) }
}
