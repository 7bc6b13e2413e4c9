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
import type { FactorId, SessionId, TeamId, UserId } from '../../platform/ids.js'
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

/** What an account proves itself with beside a password. Backup codes are one, for as long as the account has some. */
export const factors = pgTable(
  'factors',
  {
    id: uuid('id').$type<FactorId>().primaryKey(),
    userId: userId().notNull(),
    type: text('type').$type<'TOTP' | 'PASSKEY' | 'BACKUP_CODE'>().notNull(),
    name: text('name').notNull(),
    /** The team whose restricted session enrolled it: in any other team it does not exist. Null: unrestricted. */
    restrictedToTeamId: uuid('restricted_to_team_id')
      .$type<TeamId>()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** The member who set the temporary password that started the session in which it was enrolled. */
    temporarySetBy: uuid('temporary_set_by').$type<UserId>(),
    /** The account's epoch when it was created; in a later one it does not exist. */
    epoch: integer('epoch').notNull().default(0),
    /** The session that began the enrollment, which ends with it while it waits for its first code. */
    enrolledInSessionId: uuid('enrolled_in_session_id').$type<SessionId>(),
    /** Null while an enrolment waits for its first code: nothing is asked of it until then. */
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
  /** Base32, sealed. */
  sealedSecret: text('sealed_secret').notNull(),
  /** The steps of time whose codes have answered a challenge and would still be right. */
  usedSteps: bigint('used_steps', { mode: 'number' }).array().notNull().default([]),
  /** While the enrolment waits: the backup codes that it has shown and will show once more, sealed. */
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
    /** Whether it signs in by itself; else it is a second factor only. */
    signsIn: boolean('signs_in').notNull(),
  },
  (table) => [uniqueIndex('passkeys_credential').on(table.credentialId)],
)

/** Each by a keyed hash; the key is the service's. */
export const backupCodes = pgTable(
  'backup_codes',
  {
    factorId: factorId().notNull(),
    hash: bytes('hash').notNull(),
    usedAt: timestampColumn('used_at'),
  },
  (table) => [primaryKey({ columns: [table.factorId, table.hash] })],
)

/** Challenges to passkeys that were answered, until their time is over: none is answered twice. */
export const answeredChallenges = pgTable(
  'answered_challenges',
  {
    hash: bytes('hash').primaryKey(),
    expiresAt: timestampColumn('expires_at').notNull(),
  },
  (table) => [index('answered_challenges_expiry').on(table.expiresAt)],
)

/** Who wants a factor to be asked only where a sign-in looks unusual. */
export const adaptiveUsers = pgTable('adaptive_users', {
  userId: userId().primaryKey(),
  since: timestampColumn('since').notNull(),
})
