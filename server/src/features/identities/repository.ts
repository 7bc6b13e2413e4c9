import { and, eq, isNull } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.js'
import { uuidv7 } from '../../platform/crypto/random.js'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import { users } from './tables.js'

export type User = typeof users.$inferSelect

export interface NewUser {
  email: string
  firstName?: string | null
  lastName?: string | null
  selfRegistered: boolean
  emailVerified?: boolean
  madeByTeamId?: TeamId | null
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
      madeByTeamId: user.madeByTeamId ?? null,
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

/** Notes when the account's password was set; null when it was taken away. */
export async function notePassword(tx: Transaction, clock: Clock, id: UserId, setAt: Date | null): Promise<void> {
  await tx.update(users).set({ passwordSetAt: setAt, updatedAt: clock.now() }).where(eq(users.id, id))
}

/** Deletes the account with everything that hangs on it. */
export async function deleteUser(tx: Transaction, id: UserId): Promise<void> {
  await tx.delete(users).where(eq(users.id, id))
}
