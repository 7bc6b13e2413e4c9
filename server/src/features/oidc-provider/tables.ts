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
 * The generation of the application at its request. Revoking everything of an application, such as by stopping it, increments the generation
 * and so invalidates its pending requests. Null in rows of an earlier release.
 */
const generation = () => integer('generation')

/** Codes and refresh tokens by their SHA-256. They depend on their grant. */
export const oauthTokens = pgTable(
  'oauth_tokens',
  {
    hash: bytes('hash').primaryKey(),
    kind: text('kind').$type<'AuthorizationCode' | 'RefreshToken' | 'DeviceCode'>().notNull(),
    grantId: uuid('grant_id')
      .$type<GrantId>()
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    /** The payload of the engine, without the token itself. */
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    createdAt: timestampColumn('created_at').notNull(),
    expiresAt: timestampColumn('expires_at').notNull(),
    consumedAt: timestampColumn('consumed_at'),
    /** The key from which the successor of a used refresh token was derived. */
    successorKeyId: text('successor_key_id'),
  },
  (table) => [index('oauth_tokens_grant').on(table.grantId), index('oauth_tokens_expiry').on(table.expiresAt)],
)

/** Access tokens that were revoked individually, until they expire. */
export const revokedAccessTokens = pgTable(
  'revoked_access_tokens',
  { hash: bytes('hash').primaryKey(), expiresAt: timestampColumn('expires_at').notNull() },
  (table) => [index('revoked_access_tokens_expiry').on(table.expiresAt)],
)

/** Used client assertions and DPoP proofs by the SHA-256 of their issuer and ID, until they expire. */
export const usedProofs = pgTable(
  'used_proofs',
  { hash: bytes('hash').primaryKey(), expiresAt: timestampColumn('expires_at').notNull() },
  (table) => [index('used_proofs_expiry').on(table.expiresAt)],
)

/** Pending authorization requests by the SHA-256 of their uid. */
export const interactions = pgTable(
  'interactions',
  {
    hash: bytes('hash').primaryKey(),
    applicationId: applicationId(),
    generation: generation(),
    /** Path of the requested issuer. */
    issuer: text('issuer').notNull(),
    /** SHA-256 of the cookie of the requesting browser. */
    browserHash: bytes('browser_hash'),
    /** The device whose code the user entered. */
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

/** Pushed authorization requests (RFC 9126) by the SHA-256 of their reference; used once. */
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

/** Devices that wait for a user's approval (RFC 8628), by the SHA-256 of their device code. */
export const deviceCodes = pgTable(
  'device_codes',
  {
    hash: bytes('hash').primaryKey(),
    /** SHA-256 of the code that the user enters. */
    userCodeHash: bytes('user_code_hash').notNull(),
    applicationId: applicationId(),
    generation: generation(),
    issuer: text('issuer').notNull(),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    /** IP address of the device. */
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    /** The grant of an approval; null if denied or undecided. */
    grantId: uuid('grant_id')
      .$type<GrantId>()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    answeredAt: timestampColumn('answered_at'),
    /** The last poll, and the minimum interval between two polls in seconds. */
    polledAt: timestampColumn('polled_at'),
    pollInterval: integer('poll_interval').notNull(),
    /** When the device was first notified of the denial or expiry. Later polls are not recorded. */
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
 * The consent of a user to an application: a new consent is only required for more scopes. Consents from sessions that are restricted to the
 * application's team are separate, because the team may have signed in as the user.
 */
export const consents = pgTable(
  'consents',
  {
    userId: uuid('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    applicationId: applicationId(),
    /** Whether the consent was given in a session that is restricted to the application's team. Such a consent applies only to such sessions. */
    restricted: boolean('restricted').notNull().default(false),
    scopes: text('scopes').array().notNull(),
    claims: text('claims').array().notNull(),
    /** Scopes of an agent from token exchanges. They do not replace a consent at a sign-in, and are withdrawn like the rest. */
    delegatedScopes: text('delegated_scopes').array().notNull().default([]),
    /** When the user withdrew the consent: token exchanges are denied until the user consents again. */
    withdrawnAt: timestampColumn('withdrawn_at'),
    createdAt: timestampColumn('created_at').notNull(),
    updatedAt: timestampColumn('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.applicationId, table.restricted] }),
    index('consents_application').on(table.applicationId),
  ],
)

/** Authorization responses after a consent (`response_mode=form_post`) by the SHA-256 of their ID, until their page is requested; used once. */
export const formResponses = pgTable(
  'form_responses',
  {
    hash: bytes('hash').primaryKey(),
    applicationId: applicationId(),
    /** SHA-256 of the cookie of the requesting browser; null for a caller without one. */
    browserHash: bytes('browser_hash'),
    /** The redirect URI and the fields, which include the code. */
    sealedResponse: text('sealed_response').notNull(),
    expiresAt: timestampColumn('expires_at').notNull(),
  },
  (table) => [
    index('form_responses_application').on(table.applicationId),
    index('form_responses_expiry').on(table.expiresAt),
  ],
)

/** Sign-outs that an application requested and the user has not confirmed yet. */
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
    /** The registered URI with `state`; null for the signed-out page. */
    redirectTo: text('redirect_to'),
    expiresAt: timestampColumn('expires_at').notNull(),
  },
  (table) => [
    index('pending_logouts_application').on(table.applicationId),
    index('pending_logouts_session').on(table.sessionId),
    index('pending_logouts_expiry').on(table.expiresAt),
  ],
)
