import { eq } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.js'
import type { Runner, Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import { notePassword } from '../identities/index.js'
import { MAX_HISTORY } from '../policies/index.js'
import { passwordHistory, passwords } from './tables.js'

/** What a sign-in by password needs to know, read before the hash is computed. */
export interface PasswordLogin {
  userId: UserId
  hash: string | null
  setAt: Date | null
  givenByTeamId: TeamId | null
  /** The team that it opens, and no other. */
  confinedTeamId: TeamId | null
  knownDevice: boolean
  /** The team that the account last used: whose audit log a refused sign-in goes to. */
  lastTeamId: TeamId | null
}

const findLogin = namedQuery<PasswordLogin, [string, Buffer | null]>(
  'credentials.find_login',
  `SELECT u.id AS "userId", p.hash, p.set_at AS "setAt", p.given_by_team_id AS "givenByTeamId", p.confined_team_id AS "confinedTeamId", d.user_id IS NOT NULL AS "knownDevice",
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

// The current one first; both from one look at the database, so that none is missed that another change has just replaced.
const lastOf = namedQuery<{ hash: string; current: boolean }, [UserId, number]>(
  'credentials.last_passwords',
  `SELECT hash, current FROM (
     SELECT hash, true AS current, set_at AS at FROM passwords WHERE user_id = $1
     UNION ALL SELECT hash, false, replaced_at FROM password_history WHERE user_id = $1) p
   ORDER BY current DESC, at DESC LIMIT $2`,
)

// The 23 newest and the one that is added.
const rememberCurrent = namedQuery<never, [UserId, Date]>(
  'credentials.remember_password',
  `WITH added AS (INSERT INTO password_history (user_id, hash, replaced_at) SELECT user_id, hash, $2 FROM passwords WHERE user_id = $1)
   DELETE FROM password_history WHERE user_id = $1
     AND replaced_at < (SELECT replaced_at FROM password_history WHERE user_id = $1 ORDER BY replaced_at DESC OFFSET ${MAX_HISTORY - 2} LIMIT 1)`,
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

/** The hashes of the last `count` passwords, the current one first and among them. */
export async function lastPasswords(
  runner: Runner,
  userId: UserId,
  count: number,
): Promise<{ current: string | null; hashes: string[] }> {
  const rows = await runner.run(lastOf, [userId, count])
  return { current: rows.find(({ current }) => current)?.hash ?? null, hashes: rows.map(({ hash }) => hash) }
}

/**
 * A step: the account has this password from now on; the one before is remembered, by its hash. The account is locked.
 * @param by the team whose administrator gave it, and the one beyond which it opens nothing
 */
export async function setPassword(
  tx: Transaction,
  clock: Clock,
  userId: UserId,
  hash: string,
  by: { givenByTeamId?: TeamId; confinedTeamId?: TeamId | null } = {},
): Promise<void> {
  const now = clock.now()
  const givenByTeamId = by.givenByTeamId ?? null
  const set = { hash, givenByTeamId, confinedTeamId: givenByTeamId ?? by.confinedTeamId ?? null, setAt: now }
  await tx.run(rememberCurrent, [userId, now])
  await tx
    .insert(passwords)
    .values({ userId, ...set })
    .onConflictDoUpdate({ target: passwords.userId, set })
  await notePassword(tx, clock, userId, now)
}

/** A step: the same password under today's parameters. */
export async function upgradeHash(tx: Transaction, userId: UserId, hash: string): Promise<void> {
  await tx.update(passwords).set({ hash }).where(eq(passwords.userId, userId))
}

/** A step: the account has no password any more, nor remembers any; false when it had none. */
export async function removePassword(tx: Transaction, clock: Clock, userId: UserId): Promise<boolean> {
  await tx.delete(passwordHistory).where(eq(passwordHistory.userId, userId))
  const removed = await tx.delete(passwords).where(eq(passwords.userId, userId)).returning({ userId: passwords.userId })
  if (removed.length > 0) await notePassword(tx, clock, userId, null)
  return removed.length > 0
}
