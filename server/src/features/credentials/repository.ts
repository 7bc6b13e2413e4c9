import { eq } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.js'
import type { Runner, Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import { notePassword } from '../identities/index.js'
import { passwords } from './tables.js'

/** What a sign-in by password needs to know, read before the hash is computed. */
export interface PasswordLogin {
  userId: UserId
  hash: string | null
  setAt: Date | null
  givenByTeamId: TeamId | null
  knownDevice: boolean
  /** The team that the account last used: whose audit log a refused sign-in goes to. */
  lastTeamId: TeamId | null
}

const findLogin = namedQuery<PasswordLogin, [string, Buffer | null]>(
  'credentials.find_login',
  `SELECT u.id AS "userId", p.hash, p.set_at AS "setAt", p.given_by_team_id AS "givenByTeamId", d.user_id IS NOT NULL AS "knownDevice",
     (SELECT m.organization_id FROM memberships m WHERE m.user_id = u.id AND m.status = 'active' AND m.counts ORDER BY m.last_used_at DESC NULLS LAST, m.created_at LIMIT 1) AS "lastTeamId"
   FROM users u
   LEFT JOIN passwords p ON p.user_id = u.id
   LEFT JOIN known_devices d ON d.user_id = u.id AND d.hash = $2
   WHERE u.email = $1`,
)

const passwordOf = namedQuery<{ hash: string; givenByTeamId: TeamId | null; setAt: Date }, [UserId]>(
  'credentials.password_of',
  'SELECT hash, given_by_team_id AS "givenByTeamId", set_at AS "setAt" FROM passwords WHERE user_id = $1',
)

/** @param deviceHash SHA-256 of the browser's device cookie, when it has one */
export async function findPasswordLogin(
  runner: Runner,
  email: string,
  deviceHash: Buffer | null,
): Promise<PasswordLogin | undefined> {
  return (await runner.run(findLogin, [email, deviceHash]))[0]
}

export async function currentPassword(
  runner: Runner,
  userId: UserId,
): Promise<{ hash: string; givenByTeamId: TeamId | null; setAt: Date } | undefined> {
  return (await runner.run(passwordOf, [userId]))[0]
}

/** A step: the account has this password from now on. @param givenByTeamId the team whose administrator chose it, if one did */
export async function setPassword(
  tx: Transaction,
  clock: Clock,
  userId: UserId,
  hash: string,
  givenByTeamId: TeamId | null = null,
): Promise<void> {
  const now = clock.now()
  await tx
    .insert(passwords)
    .values({ userId, hash, givenByTeamId, setAt: now })
    .onConflictDoUpdate({ target: passwords.userId, set: { hash, givenByTeamId, setAt: now } })
  await notePassword(tx, clock, userId, now)
}

/** A step: the same password under today's parameters. */
export async function upgradeHash(tx: Transaction, userId: UserId, hash: string): Promise<void> {
  await tx.update(passwords).set({ hash }).where(eq(passwords.userId, userId))
}

/** A step: the account has no password any more; false when it had none. */
export async function removePassword(tx: Transaction, clock: Clock, userId: UserId): Promise<boolean> {
  const removed = await tx.delete(passwords).where(eq(passwords.userId, userId)).returning({ userId: passwords.userId })
  if (removed.length > 0) await notePassword(tx, clock, userId, null)
  return removed.length > 0
}
