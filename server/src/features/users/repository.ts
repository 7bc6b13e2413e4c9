import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.js'
import { uuidv7 } from '../../platform/crypto/random.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import { users } from './tables.js'

export type User = typeof users.$inferSelect

export interface NewUser {
  email: string
  firstName?: string | null
  lastName?: string | null
  selfRegistered: boolean
  emailVerified?: boolean
}

/** Makes the account; undefined when the address has one already. */
export async function createUser(tx: Transaction, clock: Clock, user: NewUser): Promise<User | undefined> {
  const now = clock.now()
  const [row] = await tx
    .insert(users)
    .values({
      id: uuidv7<UserId>(clock),
      email: user.email,
      emailVerifiedAt: user.emailVerified ? now : null,
      firstName: user.firstName ?? null,
      lastName: user.lastName ?? null,
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

/** As `findUserByEmail`; locked until the transaction ends, as by `lockUser`. */
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

const lockExclusively = namedQuery<never, [UserId]>('identities.hold_alone', 'SELECT hold_account_alone($1)')

/**
 * Waits for the transactions of the account's own requests, and holds off later ones until the transaction ends: whatever they wrote is
 * there to be ended. Before anything is locked. Runs in the caller's transaction.
 */
export async function lockAccountExclusively(tx: Transaction, id: UserId): Promise<void> {
  await tx.run(lockExclusively, [id])
}

/** The account, locked until the transaction ends: whoever opens or ends its sessions takes turns. */
export async function lockUser(tx: Transaction, id: UserId): Promise<User | undefined> {
  return (await tx.select().from(users).where(eq(users.id, id)).for('no key update'))[0]
}

/** Notes that the owner of the address proved it; false when that was known. */
export async function proveEmail(tx: Transaction, clock: Clock, id: UserId): Promise<boolean> {
  const proven = await tx
    .update(users)
    .set({ emailVerifiedAt: clock.now(), updatedAt: clock.now() })
    .where(and(eq(users.id, id), isNull(users.emailVerifiedAt)))
    .returning({ id: users.id })
  return proven.length === 1
}

/** A step: the account is no longer that of whoever registered it: what they had was removed. */
export async function adoptUser(tx: Transaction, clock: Clock, id: UserId): Promise<void> {
  await tx.update(users).set({ selfRegistered: false, updatedAt: clock.now() }).where(eq(users.id, id))
}

/** A step: writes the user's own names. */
export async function nameUser(
  tx: Transaction,
  clock: Clock,
  id: UserId,
  names: { firstName: string | null; lastName: string | null },
): Promise<void> {
  await tx
    .update(users)
    .set({ ...names, updatedAt: clock.now() })
    .where(eq(users.id, id))
}

/**
 * Notes when the account's password was set; null when it was taken away.
 * @param dueTeamIds the teams whose policy it does not meet
 */
export async function notePassword(
  tx: Transaction,
  clock: Clock,
  id: UserId,
  setAt: Date | null,
  dueTeamIds: TeamId[],
): Promise<void> {
  await tx
    .update(users)
    .set({ passwordSetAt: setAt, passwordDueTeamIds: dueTeamIds, updatedAt: clock.now() })
    .where(eq(users.id, id))
}

/** A step: notes since when the account has a second factor; null when its last one was taken away, or it had none. */
export async function noteSecondFactor(tx: Transaction, clock: Clock, id: UserId, since: Date | null): Promise<void> {
  await tx
    .update(users)
    .set({ secondFactorSince: since, updatedAt: clock.now() })
    .where(and(eq(users.id, id), since ? undefined : isNotNull(users.secondFactorSince)))
}

/** Returns the account's epoch as an expression, for the statement that stores a credential. */
export const currentEpoch = (id: UserId): SQL<number> =>
  sql`(SELECT ${users.epoch} FROM ${users} WHERE ${eq(users.id, id)})`

/**
 * Ends everything that was created for the account so far: a credential of an earlier epoch does not exist. Call `settleFactors` of mfa
 * behind it. Runs in the caller's transaction, which has locked the account.
 */
export async function startNewEpoch(tx: Transaction, clock: Clock, id: UserId): Promise<void> {
  await tx
    .update(users)
    .set({
      epoch: sql`${users.epoch} + 1`,
      passwordSetAt: null,
      passwordDueTeamIds: [],
      secondFactorSince: null,
      updatedAt: clock.now(),
    })
    .where(eq(users.id, id))
}

/** Deletes the account with everything that hangs on it. */
export async function deleteUser(tx: Transaction, id: UserId): Promise<void> {
  await tx.delete(users).where(eq(users.id, id))
}

/** What a person writes about themselves. */
export type OwnProfile = Pick<User, 'firstName' | 'lastName' | 'department' | 'title' | 'phone' | 'locale'>

const NOTHING: OwnProfile = {
  firstName: null,
  lastName: null,
  department: null,
  title: null,
  phone: null,
  locale: null,
}

/** A step: the user's own profile; empty when the account is gone. */
export async function ownProfile(tx: Transaction, id: UserId): Promise<OwnProfile> {
  const { firstName, lastName, department, title, phone, locale } = users
  const fields = { firstName, lastName, department, title, phone, locale }
  return (await tx.select(fields).from(users).where(eq(users.id, id)))[0] ?? NOTHING
}

/** A step: changes the user's own profile. */
export async function writeOwnProfile(
  tx: Transaction,
  clock: Clock,
  id: UserId,
  change: Partial<OwnProfile>,
): Promise<void> {
  await tx
    .update(users)
    .set({ ...change, updatedAt: clock.now() })
    .where(eq(users.id, id))
}

/** Empties the user's own profile. Runs in the caller's transaction. */
export const clearOwnProfile = (tx: Transaction, clock: Clock, id: UserId): Promise<void> =>
  writeOwnProfile(tx, clock, id, NOTHING)

/**
 * Changes the email address of the account; links that were mailed to the previous one no longer work. Runs in the caller's transaction.
 * @param proven whether its owner has just verified it; undefined leaves the address as verified as it was
 * @throws a violation of `users_email`
 */
export async function writeEmail(
  tx: Transaction,
  clock: Clock,
  id: UserId,
  email: string,
  { proven }: { proven?: boolean },
): Promise<void> {
  const now = clock.now()
  const verified = proven === undefined ? {} : { emailVerifiedAt: proven ? now : null }
  await tx
    .update(users)
    .set({ email, ...verified, updatedAt: now })
    .where(eq(users.id, id))
}
