import { eq } from 'drizzle-orm'
import type { Clock } from '../../../platform/clock.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { Actor } from '../../../platform/http/actor.js'
import { requireActiveActor } from '../../access-tokens/index.js'
import type { Membership } from '../../members/index.js'
import { users } from '../../users/index.js'
import { invalidField, requestedTime } from '../requested-time.js'

/** The fields of a membership that store who set its leave date. They are neither shown nor recorded in the audit log. */
const SETTER_FIELDS = ['leavePermissions', 'leaveSetBy', 'leaveSetEpoch', 'leaveTemporarySetBy'] as const

export type LeaveDate = Partial<Pick<Membership, 'leaveAt' | (typeof SETTER_FIELDS)[number]>>

export const NO_LEAVE_DATE = {
  leaveAt: null,
  leavePermissions: null,
  leaveSetBy: null,
  leaveSetEpoch: null,
  leaveTemporarySetBy: null,
} satisfies LeaveDate

const isSetterField = (field: string): boolean => (SETTER_FIELDS as readonly string[]).includes(field)

/** Returns the names of changed fields without those that store who set the leave date. */
export const withoutSetter = (fields: string[]): string[] => fields.filter((field) => !isSetterField(field))

/**
 * Returns the fields of the membership that a requested leave date changes; none if it is undefined or the stored one. The caller is stored
 * with it, with their permissions and the origin of their session: `mayTakeEffect` verifies them when the date is reached. Runs in the
 * caller's transaction.
 * @throws invalid_request if it is not in the future; invalid_access_token if the caller's access was revoked since the request was
 *   authenticated
 */
export async function leaveDateOf(
  tx: Transaction,
  clock: Clock,
  actor: Actor,
  wanted: string | null | undefined,
  before: Pick<Membership, 'leaveAt'> = { leaveAt: null },
): Promise<LeaveDate> {
  if (wanted === undefined) return {}
  if (wanted === null) return before.leaveAt === null ? {} : NO_LEAVE_DATE
  const leaveAt = requestedTime('/leaveAt', wanted)
  if (leaveAt.getTime() === before.leaveAt?.getTime()) return {}
  if (leaveAt <= clock.now()) throw invalidField('/leaveAt', 'must be in the future')
  const { temporarySetBy } = await requireActiveActor(tx, clock, actor)
  const [setter] = await tx.select({ epoch: users.epoch }).from(users).where(eq(users.id, actor.userId))
  return {
    leaveAt,
    leavePermissions: [...actor.permissions].sort(),
    leaveSetBy: actor.userId,
    leaveSetEpoch: setter?.epoch ?? null,
    leaveTemporarySetBy: temporarySetBy,
  }
}
