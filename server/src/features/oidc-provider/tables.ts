import { index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, moment } from '../../platform/db/platform-tables.js'
import type { ApplicationId, GrantId, SessionId, UserId } from '../../platform/ids.js'
import { applications } from '../applications/index.js'
import { users } from '../identities/index.js'
import { sessions } from '../sessions/index.js'

const applicationId = () =>
  uuid('application_id')
    .$type<ApplicationId>()
    .notNull()
    .references(() => applications.id, { onDelete: 'cascade' })

/** Codes and refresh tokens, each by its SHA-256, hanging on the grant that they stand for. */
export const oauthTokens = pgTable(
  'oauth_tokens',
  {
    hash: bytes('hash').primaryKey(),
    kind: text('kind').$type<'AuthorizationCode' | 'RefreshToken'>().notNull(),
    grantId: uuid('grant_id')
      .$type<GrantId>()
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    /** What the engine wrote, without the token itself. */
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    consumedAt: moment('consumed_at'),
    /** The key from which the successor of a used refresh token was derived. */
    successorKeyId: text('successor_key_id'),
  },
  (table) => [index('oauth_tokens_grant').on(table.grantId), index('oauth_tokens_expiry').on(table.expiresAt)],
)

/** Access tokens that were revoked by themselves, until they would have ended. */
export const revokedAccessTokens = pgTable(
  'revoked_access_tokens',
  { hash: bytes('hash').primaryKey(), expiresAt: moment('expires_at').notNull() },
  (table) => [index('revoked_access_tokens_expiry').on(table.expiresAt)],
)

/** Client assertions and DPoP proofs that were used, by the SHA-256 of whose and which they are, until their time is over. */
export const usedProofs = pgTable(
  'used_proofs',
  { hash: bytes('hash').primaryKey(), expiresAt: moment('expires_at').notNull() },
  (table) => [index('used_proofs_expiry').on(table.expiresAt)],
)

/** Authorize requests that wait for a person, each by the SHA-256 of its uid. */
export const interactions = pgTable(
  'interactions',
  {
    hash: bytes('hash').primaryKey(),
    applicationId: applicationId(),
    /** Path of the issuer that was asked. */
    issuer: text('issuer').notNull(),
    /** SHA-256 of the cookie of the browser that asked. */
    browserHash: bytes('browser_hash'),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    index('interactions_application').on(table.applicationId),
    index('interactions_expiry').on(table.expiresAt),
  ],
)

/** What a user has allowed an application: they are asked again only for more. */
export const consents = pgTable(
  'consents',
  {
    userId: uuid('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    applicationId: applicationId(),
    scopes: text('scopes').array().notNull(),
    claims: text('claims').array().notNull(),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.applicationId] }),
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
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    index('pending_logouts_application').on(table.applicationId),
    index('pending_logouts_session').on(table.sessionId),
    index('pending_logouts_expiry').on(table.expiresAt),
  ],
)
