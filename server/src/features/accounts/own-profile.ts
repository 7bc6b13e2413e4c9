import { refusal as platformRefusal } from '../../platform/errors.js'
import type { SessionActor } from '../../platform/http/actor.js'
import { lockUser, type OwnProfile, ownProfile, writeOwnProfile } from '../identities/index.js'
import { refuseWhileConfined } from '../sessions/index.js'
import type { AccountDeps } from './deps.js'

/**
 * Changes what is given of the caller's own profile; null takes it away.
 * @throws team_sign_in_required in a session that one team controls, while the user counts in another
 */
export function changeOwnProfile(
  { db, clock, audit }: Pick<AccountDeps, 'db' | 'clock' | 'audit'>,
  actor: SessionActor,
  change: Partial<OwnProfile>,
): Promise<OwnProfile> {
  return db.transaction(async (tx) => {
    await refuseWhileConfined(tx, actor)
    // The account may have been deleted since the request was let in.
    if (!(await lockUser(tx, actor.userId))) throw platformRefusal('invalid_access_token')
    const before = await ownProfile(tx, actor.userId)
    const fields = Object.keys(change) as (keyof OwnProfile)[]
    const changed = fields.filter((field) => change[field] !== before[field])
    if (changed.length === 0) return before
    await writeOwnProfile(tx, clock, actor.userId, change)
    await audit.record(tx, actor, 'user.profile_changed', {
      resource: `user:${actor.userId}`,
      metadata: { changed: changed.sort() },
    })
    return { ...before, ...change }
  })
}
