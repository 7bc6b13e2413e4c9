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
import type { ApplicationId, FactorId, GrantId, SessionId, TeamId, UserId } from '../../platform/ids.js'
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
 * What was handed out for a user and can be taken back. A `session` is one sign-in, with the team that it has open; a `grant` is
 * what the user allowed one application, with the tokens that hang on it. Ended rows stay for a month: the statistics and the
 * list want them.
 */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').$type<SessionId>().primaryKey(),
    kind: text('kind').$type<'session' | 'grant'>().notNull().default('session'),
    userId: userId().notNull(),
    organizationId: teamId('organization_id').notNull(),
    /** How it was opened: password, magic_link, registration … */
    method: text('method').notNull(),
    /** Authentication methods used (RFC 8176). */
    amr: text('amr').array().notNull(),
    /** The team whose provider, directory or administrator opened it; it opens no other. */
    restrictedTeamId: teamId('confined_team_id'),
    /** The account's epoch when it was created; in a later one it does not exist. */
    epoch: integer('epoch').notNull().default(0),
    /**
     * The member who set the temporary password that started the session, or the one it continues; of a session that a provider or directory
     * started, a row of `sign_in_editors`. Whatever is created in the session inherits it.
     */
    temporarySetBy: uuid('temporary_set_by').$type<UserId>(),
    /**
     * The teams that require a second factor of a user who had none valid for them. Each limits requests to that team until one is enrolled;
     * nothing removes a team.
     */
    enrollmentDueTeamIds: uuid('enrollment_due_team_ids').$type<TeamId>().array().notNull().default([]),
    /** The teams for which the password is older than they allow. Each limits requests to that team; only a new password removes one. */
    passwordDueTeamIds: uuid('password_due_team_ids').$type<TeamId>().array().notNull().default([]),
    /** Why the password must be changed whatever the team; null when it need not. */
    passwordDue: text('password_due').$type<'temporary'>(),
    /** A second factor is due from whoever has none, by the instance: until one is enrolled the session opens little else. */
    mfaDue: boolean('mfa_due').notNull().default(false),
    /** The second factors that were verified in it. In a team for which none of them is valid, it has verified none. */
    verifiedFactorIds: uuid('verified_factor_ids').$type<FactorId>().array().notNull().default([]),
    /** The teams whose rules of sign-in were asked for this session; those of another team are asked when it is switched to. */
    admittedTeamIds: uuid('admitted_team_ids').$type<TeamId>().array().notNull().default([]),
    /** Whether cookies outlive the browser. */
    remember: boolean('remember').notNull(),
    /** SHA-256 of the cookie by which the identity providers know the session. */
    ssoHash: bytes('sso_hash'),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    authenticatedAt: timestampColumn('authenticated_at').notNull(),
    lastSeenAt: timestampColumn('last_seen_at').notNull(),
    expiresAt: timestampColumn('expires_at').notNull(),
    endedAt: timestampColumn('ended_at'),
    endReason: text('end_reason'),
    /** Of a grant: the application, the session in which it was given, what it allows, and the issuer that it was given under. */
    applicationId: uuid('application_id')
      .$type<ApplicationId>()
      .references(() => applications.id, { onDelete: 'cascade' }),
    parentId: uuid('parent_id')
      .$type<SessionId>()
      .references((): AnyPgColumn => sessions.id, { onDelete: 'set null' }),
    scopes: text('scopes').array(),
    issuer: text('issuer'),
    /** The application's generation when it was given: a rotated secret ends it. */
    generation: integer('generation'),
    /** Of a grant that an agent got for a token of a user (RFC 8693): every grant and, by the SHA-256 of their `jti`, every access token behind it. */
    delegatedFrom: uuid('delegated_from').$type<GrantId>().array(),
    delegatedTokens: bytes('delegated_tokens').array(),
    createdAt: timestampColumn('created_at').notNull(),
    /** Of a session: when its user signed in. A session that continues another one has that one's: see `absolute-end.ts`. */
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

/** The family of a session's refresh tokens, each by its SHA-256. */
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
    /** The key from which its successor was derived. */
    successorKeyId: text('successor_key_id'),
    /** Set when a change of team, and not the token itself, brought the successor: it is derived from this. */
    switchId: uuid('switch_id'),
  },
  (table) => [index('refresh_tokens_session').on(table.sessionId), index('refresh_tokens_expiry').on(table.expiresAt)],
)

/** Everything that works once: links by mail, and sign-ins that wait for a second factor. Each by its SHA-256. */
export const oneTimeTokens = pgTable(
  'one_time_tokens',
  {
    hash: bytes('hash').primaryKey(),
    kind: text('kind').notNull(),
    userId: userId().notNull(),
    /** The team that the token was made for and opens. */
    organizationId: teamId('organization_id'),
    /** The address that it was sent to: it proves no other. */
    email: text('email').notNull(),
    data: jsonb('data').$type<Record<string, unknown>>().notNull(),
    /** The team that what is created with it is restricted to; null: unrestricted. */
    restrictedToTeamId: teamId('restricted_to_team_id'),
    /** The account's epoch when it was created; in a later one it does not exist. */
    epoch: integer('epoch').notNull().default(0),
    /** The token is derived from this and a server key, so that it can be mailed again; null for a random token. */
    seed: uuid('seed'),
    keyId: text('key_id'),
    /** Wrong answers to a challenge. */
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
    /** When a sign-in from it last proved a second factor. */
    factorAt: timestampColumn('factor_at'),
    /** The account's epoch when it was created; in a later one it does not exist. */
    epoch: integer('epoch').notNull().default(0),
    createdAt: timestampColumn('created_at').notNull(),
    lastSeenAt: timestampColumn('last_seen_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.hash] }), index('known_devices_seen').on(table.lastSeenAt)],
)

/** The networks from which the user has signed in, and when last: what a new sign-in is compared with. */
export const signInPlaces = pgTable(
  'sign_in_places',
  {
    userId: userId().notNull(),
    /** An address range: see `protocols/sign-in-risk`. */
    network: text('network').notNull(),
    /** The address of the last sign-in from there. */
    ipAddress: text('ip_address').notNull(),
    lastSeenAt: timestampColumn('last_seen_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.network] }),
    index('sign_in_places_seen').on(table.lastSeenAt),
  ],
)

/**
 * Sign-ins to a team that are restricted to it, or whose membership is unconfirmed: its browsers and networks. The team reads in its log how
 * unusual such a sign-in is, so it is compared with these alone, and not with what the account did elsewhere.
 */
export const teamSignIns = pgTable(
  'team_sign_ins',
  {
    userId: userId().notNull(),
    organizationId: teamId('organization_id').notNull(),
    /** An address range: see `protocols/sign-in-risk`; empty for an unknown address. */
    network: text('network').notNull(),
    /** SHA-256 of the browser's cookie; empty for a client without one. */
    device: bytes('device').notNull(),
    ipAddress: text('ip_address'),
    /** The account's epoch when it was created; in a later one it does not exist. */
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
