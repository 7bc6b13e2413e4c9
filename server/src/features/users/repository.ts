import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Clock } from '../../platform/clock.js'
import { anyOf } from '../../platform/db/any-of.js'
import type { Runner, Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import { newUserId } from './new-user-id.js'
import { users } from './tables.js'

export type User = typeof users.$inferSelect

type UserChange = PgUpdateSetSource<typeof users>

export interface NewUser {
  email: string
  firstName?: string | null
  lastName?: string | null
  selfRegistered: boolean
  emailVerified?: boolean
}

/** Creates the account. Returns undefined if the email address already has one. */
export async function createUser(tx: Transaction, clock: Clock, user: NewUser): Promise<User | undefined> {
  const now = clock.now()
  const [row] = await tx
    .insert(users)
    .values({
      id: newUserId(),
      email: user.email,
      emailVerifiedAt: user.emailVerified ? now : null,
      firstName: user.firstName,
      lastName: user.lastName,
      status: 'active',
      selfRegistered: user.selfRegistered,
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing({ target: users.email })
    .returning()
  return row
}

export async function findUserByEmail(tx: Transaction, email: string): Promise<User | undefined> {
  return (await tx.select().from(users).where(eq(users.email, email)))[0]
}

/** Like `findUserByEmail`, and locks the account like `lockUser`. */
export async function lockUserByEmail(tx: Transaction, email: string): Promise<User | undefined> {
  return (await tx.select().from(users).where(eq(users.email, email)).for('no key update'))[0]
}

/**
 * Locks the accounts of many email addresses in the order of their IDs, so that two transactions do not deadlock. Runs in the caller's
 * transaction.
 */
export async function lockUsersByEmail(tx: Transaction, emails: string[]): Promise<User[]> {
  return tx
    .select()
    .from(users)
    .where(sql`${users.email} = ANY(${sql.param(emails)}::text[])`)
    .orderBy(users.id)
    .for('no key update')
}

const lockExclusively = namedQuery<never, [UserId]>('users.lock_exclusively', 'SELECT hold_account_alone($1)')

/**
 * Waits for the transactions of the account's own requests, and delays later ones until the transaction ends, so that everything they
 * wrote is visible and can be revoked. Call it before taking any lock. Runs in the caller's transaction.
 */
export async function lockAccountExclusively(tx: Transaction, id: UserId): Promise<void> {
  await tx.run(lockExclusively, [id])
}

/** Locks the account until the transaction ends; starts and ends of its sessions are serialized. */
export async function lockUser(tx: Transaction, id: UserId): Promise<User | undefined> {
  return (await tx.select().from(users).where(eq(users.id, id)).for('no key update'))[0]
}

/** Locks accounts in the order of their IDs, so that two transactions do not deadlock. Runs in the caller's transaction. */
export async function lockUsers(tx: Transaction, ids: UserId[]): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(anyOf(users.id, ids)).orderBy(users.id).for('no key update')
}

/** Records that the owner verified the email address. Returns false if it was already verified. */
export async function markEmailVerified(tx: Transaction, clock: Clock, id: UserId): Promise<boolean> {
  const verified = await tx
    .update(users)
    .set({ emailVerifiedAt: clock.now(), updatedAt: clock.now() })
    .where(and(eq(users.id, id), isNull(users.emailVerifiedAt)))
    .returning({ id: users.id })
  return verified.length === 1
}

const update = async (tx: Transaction, clock: Clock, id: UserId, change: UserChange): Promise<void> =>
  void (await tx
    .update(users)
    .set({ ...change, updatedAt: clock.now() })
    .where(eq(users.id, id)))

/** Marks the account as no longer owned by its registrant, whose data was removed. Runs in the caller's transaction. */
export const clearRegistrant = (tx: Transaction, clock: Clock, id: UserId): Promise<void> =>
  update(tx, clock, id, { selfRegistered: false })

/**
 * Records when the account's password was set; null if it was removed. Runs in the caller's transaction.
 * @param passwordDueTeamIds the teams whose policy it violates
 */
export const recordPasswordSet = (
  tx: Transaction,
  clock: Clock,
  id: UserId,
  passwordSetAt: Date | null,
  passwordDueTeamIds: TeamId[],
): Promise<void> => update(tx, clock, id, { passwordSetAt, passwordDueTeamIds })

/** Records since when the account has a second factor; null if it has none. Runs in the caller's transaction. */
export async function recordSecondFactor(tx: Transaction, clock: Clock, id: UserId, since: Date | null): Promise<void> {
  await tx
    .update(users)
    .set({ secondFactorSince: since, updatedAt: clock.now() })
    .where(and(eq(users.id, id), since ? undefined : isNotNull(users.secondFactorSince)))
}

/** Returns the account's epoch as an expression, for the statement that stores a credential. */
export const currentEpoch = (id: UserId): SQL<number> =>
  sql`(SELECT ${users.epoch} FROM ${users} WHERE ${eq(users.id, id)})`

/**
 * Revokes everything that was created for the account so far: credentials of earlier epochs do not exist. Call `updateFactorState` of mfa
 * afterwards. Runs in the caller's transaction, which has locked the account.
 */
export const startNewEpoch = (tx: Transaction, clock: Clock, id: UserId): Promise<void> =>
  update(tx, clock, id, {
    epoch: sql`${users.epoch} + 1`,
    passwordSetAt: null,
    passwordDueTeamIds: [],
    secondFactorSince: null,
  })

/** Schedules the deletion of the account. Runs in the caller's transaction, which has locked it. */
export const scheduleDeletion = (
  tx: Transaction,
  clock: Clock,
  id: UserId,
  deletion: { requestedAt: Date; scheduledAt: Date },
): Promise<void> =>
  update(tx, clock, id, { deletionRequestedAt: deletion.requestedAt, deletionScheduledAt: deletion.scheduledAt })

/** Cancels the requested deletion of the account. Runs in the caller's transaction, which has locked it. */
export const cancelScheduledDeletion = (tx: Transaction, clock: Clock, id: UserId): Promise<void> =>
  update(tx, clock, id, { deletionRequestedAt: null, deletionScheduledAt: null })

const dueForDeletion = namedQuery<{ id: UserId; scheduledAt: Date }, [Date, Date | null, UserId | null, number]>(
  'users.due_for_deletion',
  `SELECT id, deletion_scheduled_at AS "scheduledAt" FROM users
   WHERE deletion_scheduled_at <= $1 AND status = 'active' AND ($2::timestamptz IS NULL OR (deletion_scheduled_at, id) > ($2, $3::uuid))
   ORDER BY deletion_scheduled_at, id LIMIT $4`,
)

/**
 * Returns up to `limit` accounts whose requested deletion is due. A suspended account is not deleted: its user could otherwise register
 * again and evade the suspension.
 * @param last the last account of the previous page
 */
export const accountsDueForDeletion = (
  runner: Runner,
  now: Date,
  limit: number,
  last?: { id: UserId; scheduledAt: Date },
): Promise<{ id: UserId; scheduledAt: Date }[]> =>
  runner.run(dueForDeletion, [now, last?.scheduledAt ?? null, last?.id ?? null, limit])

/** Deletes the account with everything that belongs to it. */
export async function deleteUser(tx: Transaction, id: UserId): Promise<void> {
  await tx.delete(users).where(eq(users.id, id))
}

/** The own profile: the fields that the user writes. */
export type OwnProfile = Pick<User, 'firstName' | 'lastName' | 'department' | 'title' | 'phone' | 'locale'>

const EMPTY_PROFILE: OwnProfile = {
  firstName: null,
  lastName: null,
  department: null,
  title: null,
  phone: null,
  locale: null,
}

/** Returns the user's own profile; empty if the account was deleted. Runs in the caller's transaction. */
export async function ownProfile(tx: Transaction, id: UserId): Promise<OwnProfile> {
  const { firstName, lastName, department, title, phone, locale } = users
  const fields = { firstName, lastName, department, title, phone, locale }
  return (await tx.select(fields).from(users).where(eq(users.id, id)))[0] ?? EMPTY_PROFILE
}

/** Updates the user's own profile. Runs in the caller's transaction. */
export const writeOwnProfile = (
  tx: Transaction,
  clock: Clock,
  id: UserId,
  change: Partial<OwnProfile>,
): Promise<void> => update(tx, clock, id, change)

/** Clears the user's own profile. Runs in the caller's transaction. */
export const clearOwnProfile = (tx: Transaction, clock: Clock, id: UserId): Promise<void> =>
  writeOwnProfile(tx, clock, id, EMPTY_PROFILE)

/**
 * Changes the email address of the account; links that were mailed to the previous one no longer work. Runs in the caller's transaction.
 * @param proven whether the owner has just verified it; undefined leaves the verification unchanged
 * @throws a violation of `users_email`
 */
export async function writeEmail(
  tx: Transaction,
  clock: Clock,
  id: UserId,
  email: string,
  { proven }: { proven?: boolean },
): Promise<void> {
  const verified = proven === undefined ? {} : { emailVerifiedAt: proven ? clock.now() : null }
  await update(tx, clock, id, { email, ...verified })
}
