import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytes, timestampColumn } from '../../platform/db/platform-tables.js'
import type { FactorId, OriginId, SessionId, TeamId, UserId } from '../../platform/ids.js'
import { organizations } from '../teams/index.js'
import { users } from '../users/index.js'

const userId = () =>
  uuid('user_id')
    .$type<UserId>()
    .references(() => users.id, { onDelete: 'cascade' })
const factorId = () =>
  uuid('factor_id')
    .$type<FactorId>()
    .references(() => factors.id, { onDelete: 'cascade' })

/** The second factors of accounts. A set of backup codes is one factor. */
export const factors = pgTable(
  'factors',
  {
    id: uuid('id').$type<FactorId>().primaryKey(),
    userId: userId().notNull(),
    type: text('type').$type<'TOTP' | 'PASSKEY' | 'BACKUP_CODE'>().notNull(),
    name: text('name').notNull(),
    /** The team whose restricted session enrolled it, and in which alone it is valid. Null: unrestricted. */
    restrictedToTeamId: uuid('restricted_to_team_id')
      .$type<TeamId>()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** The origin of the session in which it was enrolled. */
    temporarySetBy: uuid('temporary_set_by').$type<OriginId>(),
    /** The account's epoch at its creation; invalid in a later one. */
    epoch: integer('epoch').notNull().default(0),
    /** The session that started the enrollment. A pending enrollment ends with it. */
    enrolledInSessionId: uuid('enrolled_in_session_id').$type<SessionId>(),
    /** Null while the enrollment is pending: the factor is not required until then. */
    verifiedAt: timestampColumn('verified_at'),
    lastUsedAt: timestampColumn('last_used_at'),
    createdAt: timestampColumn('created_at').notNull(),
  },
  (table) => [
    check('factors_type', sql`type IN ('TOTP', 'PASSKEY', 'BACKUP_CODE')`),
    index('factors_user').on(table.userId, table.createdAt),
    uniqueIndex('factors_backup_codes')
      .on(table.userId, sql`coalesce(restricted_to_team_id, '00000000-0000-0000-0000-000000000000')`)
      .where(sql`type = 'BACKUP_CODE'`),
    index('factors_restricted').on(table.restrictedToTeamId).where(sql`restricted_to_team_id IS NOT NULL`),
    index('factors_waiting').on(table.createdAt).where(sql`verified_at IS NULL`),
  ],
)

export const totpSecrets = pgTable('totp_secrets', {
  factorId: factorId().primaryKey(),
  /** Base32, encrypted. */
  sealedSecret: text('sealed_secret').notNull(),
  /** The time steps of used codes that have not expired yet. */
  usedSteps: bigint('used_steps', { mode: 'number' }).array().notNull().default([]),
  /** While the enrollment is pending: the encrypted backup codes, which its completion returns again. */
  sealedBackupCodes: text('sealed_backup_codes'),
})

export const passkeys = pgTable(
  'passkeys',
  {
    factorId: factorId().primaryKey(),
    credentialId: bytes('credential_id').notNull(),
    /** COSE_Key. */
    publicKey: bytes('public_key').notNull(),
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: text('transports').array().notNull(),
    aaguid: text('aaguid').notNull(),
    backupEligible: boolean('backup_eligible').notNull(),
    backedUp: boolean('backed_up').notNull(),
    /** Whether it can sign in alone; otherwise it is a second factor only. */
    signsIn: boolean('signs_in').notNull(),
  },
  (table) => [uniqueIndex('passkeys_credential').on(table.credentialId)],
)

/** Backup codes, by an HMAC with a server key. */
export const backupCodes = pgTable(
  'backup_codes',
  {
    factorId: factorId().notNull(),
    hash: bytes('hash').notNull(),
    usedAt: timestampColumn('used_at'),
  },
  (table) => [primaryKey({ columns: [table.factorId, table.hash] })],
)

/** Used WebAuthn challenges, stored until they expire to prevent reuse. */
export const answeredChallenges = pgTable(
  'answered_challenges',
  {
    hash: bytes('hash').primaryKey(),
    expiresAt: timestampColumn('expires_at').notNull(),
  },
  (table) => [index('answered_challenges_expiry').on(table.expiresAt)],
)

/** Users who enabled adaptive challenges. */
export const adaptiveUsers = pgTable('adaptive_users', {
  userId: userId().primaryKey(),
  since: timestampColumn('since').notNull(),
})
