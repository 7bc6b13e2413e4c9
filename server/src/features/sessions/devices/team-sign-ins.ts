import type { Clock } from '../../../platform/clock.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { TeamId, UserId } from '../../../platform/ids.js'
import { networkOf } from '../../../protocols/sign-in-risk/index.js'
import type { SignInPlace } from './sign-in-places.js'

/** A team, and one of its members. */
export interface SignInsOfTeam {
  userId: UserId
  teamId: TeamId
}

const NO_DEVICE = Buffer.alloc(0)

const upsert = namedQuery<
  never,
  { userId: UserId; teamId: TeamId; network: string; device: Buffer; ip: string | null; now: Date }
>(
  'team_sign_ins.record',
  `INSERT INTO team_sign_ins (user_id, organization_id, network, device, ip_address, last_seen_at, epoch)
   SELECT id, :teamId, :network, :device, :ip, :now, epoch FROM users WHERE id = :userId
   ON CONFLICT (user_id, organization_id, network, device) DO UPDATE SET ip_address = :ip, last_seen_at = :now, epoch = excluded.epoch`,
)

/** Records a sign-in that is restricted to the team, or in a team with an unconfirmed membership. Runs in the caller's transaction. */
export async function recordTeamSignIn(
  tx: Transaction,
  clock: Clock,
  { userId, teamId }: SignInsOfTeam,
  ip: string | null,
  deviceToken: string | undefined,
): Promise<void> {
  const device = deviceToken === undefined ? NO_DEVICE : tokenHash(deviceToken)
  await tx.run(upsert, { userId, teamId, network: networkOf(ip) ?? '', device, ip, now: clock.now() })
}

const earlier = namedQuery<{ ip: string | null; device: Buffer; lastSeenAt: Date }, [UserId, TeamId]>(
  'team_sign_ins.list',
  `SELECT t.ip_address AS ip, t.device, t.last_seen_at AS "lastSeenAt" FROM team_sign_ins t JOIN users u ON u.id = t.user_id AND u.epoch = t.epoch
   WHERE t.user_id = $1 AND t.organization_id = $2 ORDER BY t.last_seen_at DESC LIMIT 200`,
)

/** Returns the networks of those sign-ins by last use, and whether one was from this browser. Runs in the caller's transaction. */
export async function teamSignInsOf(
  tx: Transaction,
  { userId, teamId }: SignInsOfTeam,
  deviceToken: string | undefined,
): Promise<{ places: SignInPlace[]; deviceKnown: boolean }> {
  const rows = await tx.run(earlier, [userId, teamId])
  const hash = deviceToken === undefined ? undefined : tokenHash(deviceToken)
  return {
    places: rows.flatMap(({ ip, lastSeenAt }) => (ip === null ? [] : [{ ip, lastSeenAt }])),
    deviceKnown: hash !== undefined && rows.some(({ device }) => device.equals(hash)),
  }
}

/** SQL: deletes those sign-ins of memberships that move to another account, for `createMoveMemberships`. */
export const DELETE_MOVED_TEAM_SIGN_INS =
  'DELETE FROM team_sign_ins t USING moved WHERE t.user_id = :from AND t.organization_id = moved.organization_id'
