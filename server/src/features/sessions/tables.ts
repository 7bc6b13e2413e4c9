import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytes, timestampColumn } from '../../platform/db/platform-tables.js'
import type { ApplicationId, FactorId, GrantId, OriginId, SessionId, TeamId, UserId } from '../../platform/ids.js'
import { applications } from '../applications/index.js'
import { memberships } from '../members/index.js'
import { organizations } from '../teams/index.js'
import { users } from '../users/index.js'

const userId = () =>
  uuid('user_id')
    .$type<UserId>()
    .references(() => users.id, { onDelete: 'cascade' })
const teamId = (name: string) =>
  uuid(name)
    .$type<TeamId>()
    .references(() => organizations.id, { onDelete: 'cascade' })

/**
 * Sessions and grants of users. A `session` is one sign-in with its selected team; a `grant` is the authorization of one application, on
 * which its tokens depend. Ended rows are stored for 30 days.
 */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').$type<SessionId>().primaryKey(),
    kind: text('kind').$type<'session' | 'grant'>().notNull().default('session'),
    userId: userId().notNull(),
    organizationId: teamId('organization_id').notNull(),
    /** The sign-in method: password, magic_link, registration … */
    method: text('method').notNull(),
    /** Authentication methods used (RFC 8176). */
    amr: text('amr').array().notNull(),
    /** The team whose provider, directory or administrator started the session, and to which it is restricted. */
    restrictedTeamId: teamId('confined_team_id'),
    /** The account's epoch at its creation; invalid in a later one. */
    epoch: integer('epoch').notNull().default(0),
    /** Its origin: members who set temporary passwords, or the editor of a provider. Everything created in it inherits this. */
    temporarySetBy: uuid('temporary_set_by').$type<OriginId>(),
    /**
     * The teams that require a factor and had no valid one of the user. Each limits requests to that team until one is enrolled. Teams are
     * never removed.
     */
    enrollmentDueTeamIds: uuid('enrollment_due_team_ids').$type<TeamId>().array().notNull().default([]),
    /** The teams in which a password change is due. Each limits requests to that team; only a password change removes one. */
    passwordDueTeamIds: uuid('password_due_team_ids').$type<TeamId>().array().notNull().default([]),
    /** The reason why a password change is due in every team; null if none is. */
    passwordDue: text('password_due').$type<'temporary'>(),
    /** The instance requires a factor and the user had none: the session can only enroll one until that is done. */
    mfaDue: boolean('mfa_due').notNull().default(false),
    /** The factors that were verified in the session. Only those that are valid in a team count there. */
    verifiedFactorIds: uuid('verified_factor_ids').$type<FactorId>().array().notNull().default([]),
    /** The teams whose sign-in policies were evaluated for this session; those of other teams are evaluated at a switch. */
    admittedTeamIds: uuid('admitted_team_ids').$type<TeamId>().array().notNull().default([]),
    /** Whether cookies outlive the browser. */
    remember: boolean('remember').notNull(),
    /** SHA-256 of the cookie that identifies the session to the identity providers. */
    ssoHash: bytes('sso_hash'),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    authenticatedAt: timestampColumn('authenticated_at').notNull(),
    lastSeenAt: timestampColumn('last_seen_at').notNull(),
    expiresAt: timestampColumn('expires_at').notNull(),
    endedAt: timestampColumn('ended_at'),
    endReason: text('end_reason'),
    /** The application of a grant, the session in which the user authorized it, its scopes, and its issuer. */
    applicationId: uuid('application_id')
      .$type<ApplicationId>()
      .references(() => applications.id, { onDelete: 'cascade' }),
    parentId: uuid('parent_id')
      .$type<SessionId>()
      .references((): AnyPgColumn => sessions.id, { onDelete: 'set null' }),
    scopes: text('scopes').array(),
    issuer: text('issuer'),
    /** The application's generation at the creation of the grant; a rotated secret revokes it. */
    generation: integer('generation'),
    /** The grants and, by the SHA-256 of their `jti`, the access tokens on which a grant by token exchange (RFC 8693) depends. */
    delegatedFrom: uuid('delegated_from').$type<GrantId>().array(),
    delegatedTokens: bytes('delegated_tokens').array(),
    createdAt: timestampColumn('created_at').notNull(),
    /** The number of refreshes of the grant, or of the session in its team. */
    refreshes: integer('refreshes').notNull().default(0),
    /** The origins of refreshes that have an audit entry in the period of 24 hours: see `refresh-entries.ts`. */
    refreshOrigins: bytes('refresh_origins').array().notNull().default([]),
    refreshPeriodStart: timestampColumn('refresh_period_start'),
    /** The last use that has an entry, by a random ID. */
    recordedUse: uuid('recorded_use'),
    /** The time of the sign-in of a session. A session that continues another one inherits it: see `absolute-end.ts`. */
    signedInAt: timestampColumn('signed_in_at').notNull().defaultNow(),
  },
  (table) => [
    check(
      'sessions_grant',
      sql`kind = 'session' OR (kind = 'grant' AND application_id IS NOT NULL AND scopes IS NOT NULL AND issuer IS NOT NULL AND generation IS NOT NULL)`,
    ),
    index('sessions_application').on(table.applicationId).where(sql`application_id IS NOT NULL`),
    index('sessions_parent').on(table.parentId).where(sql`parent_id IS NOT NULL`),
    index('sessions_user').on(table.userId),
    index('sessions_organization').on(table.organizationId),
    index('sessions_expiry').on(table.expiresAt),
    index('sessions_ended').on(table.endedAt),
    index('sessions_confined').on(table.restrictedTeamId),
    uniqueIndex('sessions_sso_hash').on(table.ssoHash),
  ],
)

/** The refresh tokens of a session, by their SHA-256. */
export const refreshTokens = pgTable(
  'refresh_tokens',
  {
    hash: bytes('hash').primaryKey(),
    sessionId: uuid('session_id')
      .$type<SessionId>()
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    createdAt: timestampColumn('created_at').notNull(),
    expiresAt: timestampColumn('expires_at').notNull(),
    usedAt: timestampColumn('used_at'),
    /** The key with which its successor was derived. */
    successorKeyId: text('successor_key_id'),
    /** Set if a team switch issued the successor, which is derived from this value instead of the token. */
    switchId: uuid('switch_id'),
  },
  (table) => [index('refresh_tokens_session').on(table.sessionId), index('refresh_tokens_expiry').on(table.expiresAt)],
)

/** Mailed links and challenges, by the SHA-256 of their token. */
export const oneTimeTokens = pgTable(
  'one_time_tokens',
  {
    hash: bytes('hash').primaryKey(),
    kind: text('kind').notNull(),
    userId: userId().notNull(),
    /** The team for which the token was issued. */
    organizationId: teamId('organization_id'),
    /** The email address to which it was sent; it verifies no other. */
    email: text('email').notNull(),
    data: jsonb('data').$type<Record<string, unknown>>().notNull(),
    /** The restriction of credentials that are created with it; null: unrestricted. */
    restrictedToTeamId: teamId('restricted_to_team_id'),
    /** The account's epoch at its creation; invalid in a later one. */
    epoch: integer('epoch').notNull().default(0),
    /** The token is derived from this and a server key, so that it can be mailed again; null for a random token. */
    seed: uuid('seed'),
    keyId: text('key_id'),
    /** Failed attempts at a challenge. */
    failures: integer('failures').notNull().default(0),
    createdAt: timestampColumn('created_at').notNull(),
    expiresAt: timestampColumn('expires_at').notNull(),
    usedAt: timestampColumn('used_at'),
  },
  (table) => [
    index('one_time_tokens_user').on(table.userId, table.kind),
    index('one_time_tokens_organization').on(table.organizationId),
    index('one_time_tokens_restricted').on(table.restrictedToTeamId).where(sql`restricted_to_team_id IS NOT NULL`),
    index('one_time_tokens_expiry').on(table.expiresAt),
  ],
)

/** Browsers from which the user has signed in, by the SHA-256 of a cookie. */
export const knownDevices = pgTable(
  'known_devices',
  {
    userId: userId().notNull(),
    hash: bytes('hash').notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    /** When a sign-in from it last verified a factor. */
    factorAt: timestampColumn('factor_at'),
    /** The account's epoch at its creation; invalid in a later one. */
    epoch: integer('epoch').notNull().default(0),
    createdAt: timestampColumn('created_at').notNull(),
    lastSeenAt: timestampColumn('last_seen_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.hash] }), index('known_devices_seen').on(table.lastSeenAt)],
)

/** The networks of a user's earlier sign-ins, with which a new sign-in is compared. */
export const signInPlaces = pgTable(
  'sign_in_places',
  {
    userId: userId().notNull(),
    /** An address range: see `protocols/sign-in-risk`. */
    network: text('network').notNull(),
    /** The IP address of the last sign-in from the network. */
    ipAddress: text('ip_address').notNull(),
    lastSeenAt: timestampColumn('last_seen_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.network] }),
    index('sign_in_places_seen').on(table.lastSeenAt),
  ],
)

/**
 * Browsers and networks of sign-ins that are restricted to a team, or in a team with an unconfirmed membership. The team's log shows the risk
 * of such a sign-in, so it is compared with these alone, and not with sign-ins of the account elsewhere.
 */
export const teamSignIns = pgTable(
  'team_sign_ins',
  {
    userId: userId().notNull(),
    organizationId: teamId('organization_id').notNull(),
    /** An IP address range: see `protocols/sign-in-risk`; empty for an unknown IP address. */
    network: text('network').notNull(),
    /** SHA-256 of the browser's cookie; empty for a client without one. */
    device: bytes('device').notNull(),
    ipAddress: text('ip_address'),
    /** The account's epoch at its creation; invalid in a later one. */
    epoch: integer('epoch').notNull(),
    lastSeenAt: timestampColumn('last_seen_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.organizationId, table.network, table.device] }),
    foreignKey({
      name: 'team_sign_ins_membership',
      columns: [table.userId, table.organizationId],
      foreignColumns: [memberships.userId, memberships.organizationId],
    }).onDelete('cascade'),
    index('team_sign_ins_organization').on(table.organizationId),
    index('team_sign_ins_seen').on(table.lastSeenAt),
  ],
)
