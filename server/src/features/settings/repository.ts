import { sql } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.js'
import type { Database, Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import { instanceSettings } from './tables.js'

export type InstanceSettings = typeof instanceSettings.$inferSelect
export type SettingsChange = Partial<
  Pick<
    InstanceSettings,
    | 'name'
    | 'logoUrl'
    | 'primaryColor'
    | 'allowedDomains'
    | 'mfaRequired'
    | 'mfaRequiredSince'
    | 'mfaGracePeriodDays'
    | 'sessionMaxLifetimeDays'
    | 'customLoginConfig'
  >
>

const one = sql`${instanceSettings.id} = 'singleton'`

/** Inserts the row at the first start; exactly one of several nodes does. */
export async function ensureSettings(db: Database, clock: Clock): Promise<void> {
  const now = clock.now()
  await db.transaction((tx) =>
    tx
      .insert(instanceSettings)
      .values({
        id: 'singleton',
        name: 'Keyward',
        primaryColor: '#3b5bdb',
        allowedDomains: [],
        mfaRequired: false,
        mfaGracePeriodDays: 7,
        createdAt: now,
        updatedAt: now,
      })
      .onConflictDoNothing(),
  )
}

/** Returns the settings; locked until the transaction ends if `lock` is set. */
export async function readSettings(tx: Transaction, lock = false): Promise<InstanceSettings> {
  const query = tx.select().from(instanceSettings).where(one)
  const [row] = await (lock ? query.for('update') : query)
  if (!row) throw new Error('The settings row is missing')
  return row
}

export async function writeSettings(tx: Transaction, clock: Clock, change: SettingsChange): Promise<InstanceSettings> {
  const [row] = await tx
    .update(instanceSettings)
    .set({ ...change, updatedAt: clock.now() })
    .where(one)
    .returning()
  if (!row) throw new Error('The settings row is missing')
  return row
}

/** Sets the team that administers the instance. Returns false if it is already set. */
export async function claimInstance(tx: Transaction, clock: Clock, teamId: TeamId): Promise<boolean> {
  const claimed = await tx
    .update(instanceSettings)
    .set({
      instanceTeamId: teamId,
      onboardedAt: clock.now(),
      setupTokenHash: null,
      setupTokenExpiresAt: null,
      updatedAt: clock.now(),
    })
    .where(sql`${one} AND ${instanceSettings.onboardedAt} IS NULL`)
    .returning({ id: instanceSettings.id })
  return claimed.length === 1
}

/** Stores the token of a setup link, which replaces an earlier one. Runs in the caller's transaction, which has locked the settings. */
export async function writeSetupToken(tx: Transaction, hash: Buffer, expiresAt: Date): Promise<void> {
  await tx.update(instanceSettings).set({ setupTokenHash: hash, setupTokenExpiresAt: expiresAt }).where(one)
}

/** Stores the first account of the instance; does nothing and takes no lock if there is one. */
export async function recordFirstUser(tx: Transaction, userId: UserId): Promise<void> {
  await tx
    .update(instanceSettings)
    .set({ firstUserId: userId })
    .where(sql`${one} AND ${instanceSettings.firstUserId} IS NULL`)
}

/** The MFA requirement of the instance. */
export type MfaTerms = Pick<InstanceSettings, 'mfaRequired' | 'mfaRequiredSince' | 'mfaGracePeriodDays'>

const readMfaTerms = namedQuery<MfaTerms>(
  'settings.mfa_terms',
  `SELECT mfa_required AS "mfaRequired", mfa_required_since AS "mfaRequiredSince", mfa_grace_period_days AS "mfaGracePeriodDays"
   FROM instance_settings WHERE id = 'singleton'`,
)

/** Returns the MFA requirement of the instance, for every sign-in. Runs in the caller's transaction. */
export async function mfaTermsOf(tx: Transaction): Promise<MfaTerms> {
  const [row] = await tx.run(readMfaTerms, [])
  if (!row) throw new Error('The settings row is missing')
  return row
}
