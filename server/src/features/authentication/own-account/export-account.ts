import { invalidAccessToken } from '../../../platform/errors.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import { throttleKey } from '../../../platform/throttle/throttle.js'
import { requireUnrestrictedFactor } from '../../mfa/index.js'
import { requireRecentAuthentication, requireUnrestricted } from '../../sessions/index.js'
import { lockUser } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'
import { readOwnActivity } from './own-activity.js'
import { readOwnEvents } from './own-events.js'
import { presentOwnEvent } from './schema.js'

const EXPORTS_PER_HOUR = 5
const MAX_EVENTS = 5_000

/**
 * Returns the data of the caller's account, without secrets and without data of other users. Each part has a maximum number of rows.
 * @throws team_sign_in_required, reauthentication_required, second_factor_required, rate_limited
 */
export async function exportAccount(deps: AccountDeps, actor: SessionActor) {
  const { db, clock, audit, throttle, accountData } = deps
  requireUnrestricted(actor)
  requireRecentAuthentication(clock, actor)
  await throttle.admitHourly(db, throttleKey('account_export', actor.userId), EXPORTS_PER_HOUR)
  const account = await db.transaction(async (tx) => {
    const user = await lockUser(tx, actor.userId)
    if (!user) throw invalidAccessToken()
    await requireUnrestrictedFactor(tx, actor)
    await audit.record(tx, { ...actor, teamId: null }, 'user.data_exported', { resource: `user:${user.id}` })
    return user
  })
  const parts: Record<string, Record<string, unknown>[]> = {}
  for (const [name, read] of Object.entries(accountData)) parts[name] = await read(actor)
  const { events } = await readOwnEvents(deps, actor, {}, { page: 1, limit: MAX_EVENTS })
  return {
    exportedAt: clock.now().toISOString(),
    account: presentAccount(account),
    ...parts,
    events: events.map(presentOwnEvent),
    activity: await readOwnActivity(deps, actor, MAX_EVENTS),
  }
}

const presentAccount = (user: NonNullable<Awaited<ReturnType<typeof lockUser>>>) => ({
  id: user.id,
  email: user.email,
  emailVerifiedAt: user.emailVerifiedAt?.toISOString() ?? null,
  firstName: user.firstName,
  lastName: user.lastName,
  department: user.department,
  title: user.title,
  phone: user.phone,
  locale: user.locale,
  passwordSetAt: user.passwordSetAt?.toISOString() ?? null,
  secondFactorSince: user.secondFactorSince?.toISOString() ?? null,
  status: user.status,
  deletionRequestedAt: user.deletionRequestedAt?.toISOString() ?? null,
  deletionScheduledAt: user.deletionScheduledAt?.toISOString() ?? null,
  createdAt: user.createdAt.toISOString(),
  updatedAt: user.updatedAt.toISOString(),
})
