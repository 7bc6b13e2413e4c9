import type { Clock } from '../../../platform/clock.js'
import type { Transaction } from '../../../platform/db/database.js'
import { rejection as platformError } from '../../../platform/errors.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import { lockMembership, updateMembership } from '../../members/index.js'
import { requireActiveSession } from '../../sessions/index.js'
import { lockUser, type OwnProfile, ownProfile, writeOwnProfile } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'

/**
 * Changes the given fields of the caller's own profile; null clears a field. A restricted session changes the profile of its team instead.
 */
export function changeOwnProfile(
  { db, clock, audit }: Pick<AccountDeps, 'db' | 'clock' | 'audit'>,
  actor: SessionActor,
  change: Partial<OwnProfile>,
): Promise<OwnProfile> {
  return db.transaction(async (tx) => {
    // The account may have been deleted since the request was authenticated.
    if (!(await lockUser(tx, actor.userId))) throw platformError('invalid_access_token')
    await requireActiveSession(tx, clock, actor)
    const { before, write } = actor.restrictedToTeam
      ? await profileInTeam(tx, clock, actor)
      : {
          before: await ownProfile(tx, actor.userId),
          write: (fields: Partial<OwnProfile>) => writeOwnProfile(tx, clock, actor.userId, fields),
        }
    const fields = Object.keys(change) as (keyof OwnProfile)[]
    const changed = fields.filter((field) => change[field] !== before[field])
    if (changed.length === 0) return before
    await write(change)
    await audit.record(tx, actor, 'user.profile_changed', {
      resource: `user:${actor.userId}`,
      metadata: { changed: changed.sort() },
    })
    return { ...before, ...change }
  })
}

async function profileInTeam(tx: Transaction, clock: Clock, { teamId, userId }: SessionActor) {
  const membership = await lockMembership(tx, teamId, userId)
  const { firstName, lastName, department, title, phone, locale } = membership
  return {
    before: { firstName, lastName, department, title, phone, locale },
    write: (fields: Partial<OwnProfile>) => updateMembership(tx, membership, { ...fields, updatedAt: clock.now() }),
  }
}
