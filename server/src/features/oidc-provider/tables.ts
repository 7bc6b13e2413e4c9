import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytes, timestampColumn } from '../../platform/db/platform-tables.js'
import type { ApplicationId, GrantId, SessionId, UserId } from '../../platform/ids.js'
import { applications } from '../applications/index.js'
import { sessions } from '../sessions/index.js'
import { users } from '../users/index.js'

const applicationId = () =>
  uuid('application_id')
    .$type<ApplicationId>()
    .notNull()
    .references(() => applications.id, { onDelete: 'cascade' })

/**
 * The application's generation when it asked, which ends with whatever ends what the application was given: stopped and started again, it
 * asks anew. Null in what an earlier release wrote.
 */
const generation = () => integer('generation')

/** Codes and refresh tokens, each by its SHA-256, hanging on the grant that they stand for. */
export const oauthTokens = pgTable(
  'oauth_tokens',
  {
    hash: bytes('hash').primaryKey(),
    kind: text('kind').$type<'AuthorizationCode' | 'RefreshToken' | 'DeviceCode'>().notNull(),
    grantId: uuid('grant_id')
      .$type<GrantId>()
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    /** What the engine wrote, without the token itself. */
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    createdAt: timestampColumn('created_at').notNull(),
    expiresAt: timestampColumn('expires_at').notNull(),
    consumedAt: timestampColumn('consumed_at'),
    /** The key from which the successor of a used refresh token was derived. */
    successorKeyId: text('successor_key_id'),
  },
  (table) => [index('oauth_tokens_grant').on(table.grantId), index('oauth_tokens_expiry').on(table.expiresAt)],
)

/** Access tokens that were revoked by themselves, until they would have ended. */
export const revokedAccessTokens = pgTable(
  'revoked_access_tokens',
  { hash: bytes('hash').primaryKey(), expiresAt: timestampColumn('expires_at').notNull() },
  (table) => [index('revoked_access_tokens_expiry').on(table.expiresAt)],
)

/** Client assertions and DPoP proofs that were used, by the SHA-256 of whose and which they are, until their time is over. */
export const usedProofs = pgTable(
  'used_proofs',
  { hash: bytes('hash').primaryKey(), expiresAt: timestampColumn('expires_at').notNull() },
  (table) => [index('used_proofs_expiry').on(table.expiresAt)],
)

/** Authorize requests that wait for a person, each by the SHA-256 of its uid. */
export const interactions = pgTable(
  'interactions',
  {
    hash: bytes('hash').primaryKey(),
    applicationId: applicationId(),
    generation: generation(),
    /** Path of the issuer that was asked. */
    issuer: text('issuer').notNull(),
    /** SHA-256 of the cookie of the browser that asked. */
    browserHash: bytes('browser_hash'),
    /** The device on whose behalf it is answered: a person typed its code. */
    deviceHash: bytes('device_hash'),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    createdAt: timestampColumn('created_at').notNull(),
    expiresAt: timestampColumn('expires_at').notNull(),
  },
  (table) => [
    index('interactions_application').on(table.applicationId),
    index('interactions_expiry').on(table.expiresAt),
  ],
)

/** Authorize requests that a client pushed (RFC 9126), each by the SHA-256 of its reference; used once. */
export const pushedRequests = pgTable(
  'pushed_requests',
  {
    hash: bytes('hash').primaryKey(),
    applicationId: applicationId(),
    generation: generation(),
    issuer: text('issuer').notNull(),
    /** The parameters as they were pushed, without the client's credentials. */
    parameters: text('parameters').notNull(),
    createdAt: timestampColumn('created_at').notNull(),
    expiresAt: timestampColumn('expires_at').notNull(),
  },
  (table) => [
    index('pushed_requests_application').on(table.applicationId),
    index('pushed_requests_expiry').on(table.expiresAt),
  ],
)

/** Devices that wait for somebody to let them in (RFC 8628), each by the SHA-256 of its device code. */
export const deviceCodes = pgTable(
  'device_codes',
  {
    hash: bytes('hash').primaryKey(),
    /** SHA-256 of the code that a person types. */
    userCodeHash: bytes('user_code_hash').notNull(),
    applicationId: applicationId(),
    generation: generation(),
    issuer: text('issuer').notNull(),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    /** From where the device asked. */
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    /** Set by the answer of a person: what it may do, or null where they refused. */
    grantId: uuid('grant_id')
      .$type<GrantId>()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    answeredAt: timestampColumn('answered_at'),
    /** When the device asked last, and how many seconds it must leave between two questions. */
    polledAt: timestampColumn('polled_at'),
    pollInterval: integer('poll_interval').notNull(),
    /** When the device was first told that it is refused or too late: it may go on asking, and only that is recorded. */
    notifiedAt: timestampColumn('told_at'),
    createdAt: timestampColumn('created_at').notNull(),
    expiresAt: timestampColumn('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('device_codes_user_code').on(table.userCodeHash),
    index('device_codes_application').on(table.applicationId),
    index('device_codes_grant').on(table.grantId),
    index('device_codes_expiry').on(table.expiresAt),
  ],
)

/**
 * What a user has allowed an application: they are asked again only for more. What was allowed in a session that is restricted to the
 * application's team is kept apart: the team may have signed in as the user.
 */
export const consents = pgTable(
  'consents',
  {
    userId: uuid('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    applicationId: applicationId(),
    /** Whether it was allowed in a session that is restricted to the application's team. It counts in such sessions alone. */
    restricted: boolean('restricted').notNull().default(false),
    scopes: text('scopes').array().notNull(),
    claims: text('claims').array().notNull(),
    /** What an agent was given on the word of a token of the user: it opens no sign-in, and is taken back like the rest. */
    delegatedScopes: text('delegated_scopes').array().notNull().default([]),
    /** When the user took it back: nothing is given on the word of others until they allow something again. */
    withdrawnAt: timestampColumn('withdrawn_at'),
    createdAt: timestampColumn('created_at').notNull(),
    updatedAt: timestampColumn('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.applicationId, table.restricted] }),
    index('consents_application').on(table.applicationId),
  ],
)

/** A sign-out that an application asked for and its user has yet to confirm: where it goes on afterwards. */
export const pendingLogouts = pgTable(
  'pending_logouts',
  {
    hash: bytes('hash').primaryKey(),
    applicationId: uuid('application_id')
      .$type<ApplicationId>()
      .references(() => applications.id, { onDelete: 'cascade' }),
    sessionId: uuid('session_id')
      .$type<SessionId>()
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    /** Registered, with `state`; null = our own page. */
    redirectTo: text('redirect_to'),
    expiresAt: timestampColumn('expires_at').notNull(),
  },
  (table) => [
    index('pending_logouts_application').on(table.applicationId),
    index('pending_logouts_session').on(table.sessionId),
    index('pending_logouts_expiry').on(table.expiresAt),
  ],
)
