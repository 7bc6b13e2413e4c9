import { and, eq, isNull } from 'drizzle-orm'
import { type Clock, DAY } from '../../platform/clock.js'
import type { Runner, Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { OriginId, TeamId, UserId } from '../../platform/ids.js'
import { byDefault, confirmedOf, isCoveredBySetter, recordTemporarySetters } from '../members/index.js'
import { MAX_HISTORY, passwordPoliciesOf } from '../password-policy/index.js'
import { isTemporary, type TemporaryScope } from '../sessions/index.js'
import { isHomeTeam } from '../teams/index.js'
import { currentEpoch, recordPasswordSet } from '../users/index.js'
import { failedRules } from './password-rules.js'
import { passwordHistory, passwords, teamPasswords } from './tables.js'

/** A temporary password expires unless it is changed within this time. */
export const TEMPORARY_PASSWORD_LIFETIME = 7 * DAY

/** A password of an account: the own one or a team password. */
export interface StoredPassword {
  hash: string
  setAt: Date
  /** The team of a team password; null: the account's own password. */
  restrictedTo: TeamId | null
  /** Set by an administrator and not changed since. */
  isTemporary: boolean
  /** Its origin: the members who set it, or the origin of the session in which it was chosen. */
  temporarySetBy: OriginId | null
}

/** The passwords that a sign-in verifies, read before a hash is computed. */
export interface PasswordLogin {
  userId: UserId
  own: StoredPassword | null
  /** The password of the team that the request names; otherwise of a confirmed team, or the only one of unconfirmed teams. */
  team: StoredPassword | null
  knownDevice: boolean
}

type Nullable<T> = { [Field in keyof T]: T[Field] | null }
interface LoginRow {
  userId: UserId
  ownHash: string | null
  ownSetAt: Date | null
  knownDevice: boolean
}

const STORED_OF_TEAM = `t.hash, t.set_at AS "setAt", t.organization_id AS "restrictedTo", t.is_temporary AS "isTemporary", t.temporary_set_by AS "temporarySetBy"`

/** SQL: whether the team password `t` is valid: its setter, if any, has at least the permissions of the member. */
const IS_COVERED = isCoveredBySetter(
  't.temporary_set_by',
  '(SELECT m.role FROM memberships m WHERE m.user_id = t.user_id AND m.organization_id = t.organization_id)',
  't.organization_id',
)

const DEFAULT_PASSWORD = `(SELECT c.organization_id FROM ${confirmedOf('u')} c
  LEFT JOIN team_passwords v ON v.user_id = c.user_id AND v.organization_id = c.organization_id AND v.epoch = u.epoch
  ORDER BY v.user_id IS NOT NULL DESC, ${isHomeTeam('c.organization_id', 'u.email')} DESC, ${byDefault('c')} LIMIT 1)`

/** SQL: the only team with a password of the account in a membership that meets the condition. */
const onlyPassword = (condition: string) => `(SELECT (array_agg(x.id))[1] FROM (
  SELECT v.organization_id AS id FROM team_passwords v JOIN memberships m ON m.user_id = v.user_id AND m.organization_id = v.organization_id
  WHERE v.user_id = u.id AND v.epoch = u.epoch AND ${condition} LIMIT 2) x HAVING count(*) = 1)`

// A sign-in without a named team uses the password of a confirmed team, preferably the home team. If no team is confirmed, it uses the only
// team password; with several, the sign-in must name the team.
const findLogin = namedQuery<LoginRow & Nullable<StoredPassword>, [string, Buffer | null, TeamId | null]>(
  'passwords.find_login',
  `SELECT u.id AS "userId", p.hash AS "ownHash", p.set_at AS "ownSetAt", ${STORED_OF_TEAM}, d.user_id IS NOT NULL AS "knownDevice"
   FROM users u
   LEFT JOIN passwords p ON p.user_id = u.id AND p.epoch = u.epoch
   LEFT JOIN team_passwords t ON t.user_id = u.id AND t.epoch = u.epoch AND t.organization_id = coalesce($3::uuid,
     ${DEFAULT_PASSWORD}, ${onlyPassword("m.status <> 'suspended'")}, ${onlyPassword("m.status = 'suspended'")}) AND ${IS_COVERED}
   LEFT JOIN known_devices d ON d.user_id = u.id AND d.hash = $2 AND d.epoch = u.epoch
   WHERE u.email = $1`,
)

const ownPassword = namedQuery<StoredPassword, [UserId]>(
  'passwords.own_password',
  `SELECT p.hash, p.set_at AS "setAt", NULL::uuid AS "restrictedTo", false AS "isTemporary", NULL::uuid AS "temporarySetBy"
   FROM passwords p JOIN users u ON u.id = p.user_id AND u.epoch = p.epoch WHERE p.user_id = $1`,
)
const teamPassword = namedQuery<StoredPassword, [UserId, TeamId]>(
  'passwords.team_password',
  `SELECT ${STORED_OF_TEAM} FROM team_passwords t JOIN users u ON u.id = t.user_id AND u.epoch = t.epoch
   WHERE t.user_id = $1 AND t.organization_id = $2 AND ${IS_COVERED}`,
)

// The current one first. One query, so that a concurrent change cannot hide a password.
const lastOf = namedQuery<{ hash: string; current: boolean }, [UserId, number, TeamId | null]>(
  'passwords.last_passwords',
  `SELECT hash, current FROM (
     SELECT p.hash, true AS current, p.set_at AS at FROM passwords p JOIN users u ON u.id = p.user_id AND u.epoch = p.epoch WHERE p.user_id = $1 AND $3::uuid IS NULL
     UNION ALL SELECT t.hash, true, t.set_at FROM team_passwords t JOIN users u ON u.id = t.user_id AND u.epoch = t.epoch WHERE t.user_id = $1 AND t.organization_id = $3
     UNION ALL SELECT hash, false, replaced_at FROM password_history WHERE user_id = $1 AND organization_id IS NOT DISTINCT FROM $3) p
   ORDER BY current DESC, at DESC LIMIT $2`,
)

// Keeps the newest passwords up to the maximum. A password of an earlier epoch may be another person's, so the history is deleted.
const addToHistory = namedQuery<never, [UserId, Date, TeamId | null]>(
  'passwords.remember_password',
  `WITH current AS (
     SELECT hash, p.epoch FROM passwords p WHERE user_id = $1 AND $3::uuid IS NULL
     UNION ALL SELECT hash, t.epoch FROM team_passwords t WHERE user_id = $1 AND organization_id = $3),
   added AS (INSERT INTO password_history (user_id, organization_id, hash, replaced_at)
     SELECT $1, $3, hash, $2 FROM current WHERE epoch = (SELECT epoch FROM users WHERE id = $1))
   DELETE FROM password_history WHERE user_id = $1 AND organization_id IS NOT DISTINCT FROM $3
     AND (EXISTS (SELECT 1 FROM current WHERE epoch <> (SELECT epoch FROM users WHERE id = $1))
       OR replaced_at < (SELECT replaced_at FROM password_history WHERE user_id = $1 AND organization_id IS NOT DISTINCT FROM $3 ORDER BY replaced_at DESC OFFSET ${MAX_HISTORY - 2} LIMIT 1))`,
)

/**
 * Returns the two passwords that a sign-in with this email address verifies; undefined for an unknown email address.
 * @param deviceHash SHA-256 of the browser's device cookie, when it has one
 * @param teamId the team that the request names; null: the default team
 */
export async function findPasswordLogin(
  runner: Runner,
  email: string,
  deviceHash: Buffer | null,
  teamId: TeamId | null,
): Promise<PasswordLogin | undefined> {
  const [row] = await runner.run(findLogin, [email, deviceHash, teamId])
  if (!row) return undefined
  const { userId, ownHash, ownSetAt, knownDevice, ...team } = row
  const own = ownHash !== null && ownSetAt !== null ? unrestricted(ownHash, ownSetAt) : null
  return { userId, own, team: team.hash === null ? null : (team as StoredPassword), knownDevice }
}

const unrestricted = (hash: string, setAt: Date): StoredPassword => ({
  hash,
  setAt,
  restrictedTo: null,
  isTemporary: false,
  temporarySetBy: null,
})

/** Returns the account's own password or, with a restriction, the team password. */
export async function currentPassword(
  runner: Runner,
  userId: UserId,
  restrictedTo: TeamId | null,
): Promise<StoredPassword | undefined> {
  const found = restrictedTo ? runner.run(teamPassword, [userId, restrictedTo]) : runner.run(ownPassword, [userId])
  return (await found)[0]
}

/** Returns the hashes of the last `count` passwords of one restriction, including the current one, newest first. */
export async function lastPasswords(
  runner: Runner,
  userId: UserId,
  restrictedTo: TeamId | null,
  count: number,
): Promise<{ current: string | null; hashes: string[] }> {
  const rows = await runner.run(lastOf, [userId, count, restrictedTo])
  return { current: rows.find(({ current }) => current)?.hash ?? null, hashes: rows.map(({ hash }) => hash) }
}

/**
 * Sets the account's own password or a team password; neither replaces the other. Adds the previous one to the history. If an own password
 * does not meet the policy of a confirmed team, a change is due in that team. Runs in the caller's transaction, which has locked the account.
 * @param password the plain password, to evaluate the policies of the teams
 * @returns the teams in which a change is due
 */
export async function setPassword(
  tx: Transaction,
  clock: Clock,
  userId: UserId,
  { hash, restrictedTo, isTemporary, temporarySetBy }: Omit<StoredPassword, 'setAt'>,
  password: string,
): Promise<TeamId[]> {
  const setAt = clock.now()
  const epoch = currentEpoch(userId)
  await tx.run(addToHistory, [userId, setAt, restrictedTo])
  if (restrictedTo) {
    const organizationId = restrictedTo
    if (temporarySetBy) await recordTemporarySetters(tx, userId, organizationId, temporarySetBy)
    const set = { hash, isTemporary, temporarySetBy, epoch, setAt }
    await tx
      .insert(teamPasswords)
      .values({ userId, organizationId, ...set })
      .onConflictDoUpdate({ target: [teamPasswords.userId, teamPasswords.organizationId], set })
    return []
  }
  const set = { hash, epoch, setAt }
  await tx
    .insert(passwords)
    .values({ userId, ...set })
    .onConflictDoUpdate({ target: passwords.userId, set })
  const dueTeamIds = await teamsNotMet(tx, userId, password)
  await recordPasswordSet(tx, clock, userId, setAt, dueTeamIds)
  return dueTeamIds
}

const NO_PASSWORDS: ReadonlySet<string> = new Set()

/** Returns the confirmed teams whose policies the password violates, except history and common passwords. */
const teamsNotMet = async (tx: Transaction, userId: UserId, password: string): Promise<TeamId[]> =>
  (await passwordPoliciesOf(tx, userId))
    .filter((policy) => failedRules(password, policy, NO_PASSWORDS, '').length > 0)
    .map(({ teamId }) => teamId)

/** Sets the account's own password like `setPassword`. Runs in the caller's transaction, which has locked the account. */
export const setOwnPassword = (
  tx: Transaction,
  clock: Clock,
  userId: UserId,
  hash: string,
  password: string,
): Promise<TeamId[]> =>
  setPassword(tx, clock, userId, { hash, restrictedTo: null, isTemporary: false, temporarySetBy: null }, password)

/** SQL: deletes the team passwords of memberships that move to another account, for `createMoveMemberships`. */
export const DELETE_MOVED_TEAM_PASSWORDS =
  'DELETE FROM team_passwords t USING moved WHERE t.user_id = :from AND t.organization_id = moved.organization_id'

const ofTeam = (userId: UserId, teamId: TeamId) =>
  and(eq(teamPasswords.userId, userId), eq(teamPasswords.organizationId, teamId))

/** Replaces the hash of the same password by one with the current parameters. Runs in the caller's transaction. */
export async function upgradeHash(
  tx: Transaction,
  userId: UserId,
  restrictedTo: TeamId | null,
  hash: string,
): Promise<void> {
  if (restrictedTo) await tx.update(teamPasswords).set({ hash }).where(ofTeam(userId, restrictedTo))
  else await tx.update(passwords).set({ hash }).where(eq(passwords.userId, userId))
}

/** Removes the account's own password and its history. Runs in the caller's transaction. @returns false if it had none */
export async function removePassword(tx: Transaction, clock: Clock, userId: UserId): Promise<boolean> {
  await tx
    .delete(passwordHistory)
    .where(and(eq(passwordHistory.userId, userId), isNull(passwordHistory.organizationId)))
  const removed = await tx.delete(passwords).where(eq(passwords.userId, userId)).returning({ userId: passwords.userId })
  if (removed.length > 0) await recordPasswordSet(tx, clock, userId, null, [])
  return removed.length > 0
}

/** Removes the team password of a user; it stays in the history. Runs in the caller's transaction. @returns false if there was none */
export async function removeTeamPassword(
  tx: Transaction,
  clock: Clock,
  userId: UserId,
  teamId: TeamId,
): Promise<boolean> {
  await tx.run(addToHistory, [userId, clock.now(), teamId])
  return (
    (await tx.delete(teamPasswords).where(ofTeam(userId, teamId)).returning({ id: teamPasswords.userId })).length > 0
  )
}

/**
 * Removes temporary passwords, and those chosen in a session that one started. Runs in the caller's transaction.
 * @returns their teams
 */
export async function removeTemporaryPasswords(tx: Transaction, userId: UserId, by: TemporaryScope): Promise<TeamId[]> {
  const removed = await tx
    .delete(teamPasswords)
    .where(and(eq(teamPasswords.userId, userId), isTemporary(teamPasswords, by)))
    .returning({ teamId: teamPasswords.organizationId })
  return removed.map((row) => row.teamId)
}

const originsIn = namedQuery<{ id: OriginId }, [UserId, TeamId]>(
  'passwords.origins',
  `SELECT temporary_set_by AS id FROM team_passwords WHERE user_id = $1 AND organization_id = $2 AND temporary_set_by IS NOT NULL
   UNION SELECT temporary_set_by FROM sessions WHERE user_id = $1 AND confined_team_id = $2 AND temporary_set_by IS NOT NULL AND ended_at IS NULL
   UNION SELECT temporary_set_by FROM factors WHERE user_id = $1 AND restricted_to_team_id = $2 AND temporary_set_by IS NOT NULL
   UNION SELECT temporary_set_by FROM api_tokens WHERE created_by = $1 AND organization_id = $2 AND temporary_set_by IS NOT NULL AND revoked_at IS NULL
   UNION SELECT temporary_set_by FROM scim_tokens WHERE created_by = $1 AND organization_id = $2 AND temporary_set_by IS NOT NULL AND revoked_at IS NULL
   UNION SELECT temporary_set_by FROM sso_providers WHERE saved_by = $1 AND organization_id = $2 AND temporary_set_by IS NOT NULL
   UNION SELECT temporary_set_by FROM directories WHERE saved_by = $1 AND organization_id = $2 AND temporary_set_by IS NOT NULL
   UNION SELECT temporary_set_by FROM invitations WHERE invited_by = $1 AND organization_id = $2 AND temporary_set_by IS NOT NULL AND status = 'PENDING'
   UNION SELECT temporary_set_by FROM import_runs WHERE started_by = $1 AND organization_id = $2 AND temporary_set_by IS NOT NULL AND status IN ('queued', 'running')
   UNION SELECT registration_token_temporary_set_by FROM applications WHERE registration_token_by = $1 AND organization_id = $2 AND registration_token_temporary_set_by IS NOT NULL`,
)

/** Returns the origins of the user's password in the team, and of what was created in the user's sessions there. Runs in the caller's transaction. */
export const originsOf = async (tx: Transaction, userId: UserId, teamId: TeamId): Promise<OriginId[]> =>
  (await tx.run(originsIn, [userId, teamId])).map(({ id }) => id)
