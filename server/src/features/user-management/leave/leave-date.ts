import type { Clock } from '../../../platform/clock.js'
import type { Membership } from '../../members/index.js'
import type { MemberActor } from '../deps.js'
import { invalidField, requestedTime } from '../requested-time.js'

type LeaveDate = Partial<Pick<Membership, 'leaveAt' | 'leavePermissions'>>

/**
 * Returns the fields of the membership that a requested leave date changes; none if it is undefined or the stored one. The permissions of
 * the caller are stored with it: they are compared with those of the member when the date is reached.
 * @throws invalid_request if it is not in the future
 */
export function leaveDateOf(
  clock: Clock,
  { permissions }: Pick<MemberActor, 'permissions'>,
  wanted: string | null | undefined,
  before: Pick<Membership, 'leaveAt'> = { leaveAt: null },
): LeaveDate {
  if (wanted === undefined) return {}
  if (wanted === null) return before.leaveAt === null ? {} : { leaveAt: null, leavePermissions: null }
  const leaveAt = requestedTime('/leaveAt', wanted)
  if (leaveAt.getTime() === before.leaveAt?.getTime()) return {}
  if (leaveAt <= clock.now()) throw invalidField('/leaveAt', 'must be in the future')
  return { leaveAt, leavePermissions: [...permissions].sort() }
}
