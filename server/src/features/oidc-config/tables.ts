import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { timestampColumn } from '../../platform/db/platform-tables.js'
import type { ApplicationId, ClaimId, RegexRuleId, ScopeId, SigningKeyId, TeamId } from '../../platform/ids.js'
import { applications } from '../applications/index.js'
import { organizations } from '../teams/index.js'
import type { PublicJwk } from './keys/signing-key.js'

const teamId = () =>
  uuid('organization_id')
    .$type<TeamId>()
    .references(() => organizations.id, { onDelete: 'cascade' })

/** One row for each team with keys. `version` counts the changes of its keys; nodes compare it before they use their cache. */
export const signingKeySets = pgTable('signing_key_sets', {
  organizationId: teamId().primaryKey(),
  version: integer('version').notNull(),
})

/** Keys that sign ID and access tokens: of a team, or of one of its applications. */
export const signingKeys = pgTable(
  'signing_keys',
  {
    id: uuid('id').$type<SigningKeyId>().primaryKey(),
    organizationId: teamId().notNull(),
    /** Null for a key of the team itself. */
    applicationId: uuid('application_id')
      .$type<ApplicationId>()
      .references(() => applications.id, { onDelete: 'cascade' }),
    kid: text('kid').notNull(),
    algorithm: text('algorithm').notNull(),
    publicJwk: jsonb('public_jwk').$type<PublicJwk>().notNull(),
    /** PKCS #8, encrypted. */
    sealedPrivateKey: text('sealed_private_key').notNull(),
    isDefault: boolean('is_default').notNull(),
    /** Signs access tokens instead of the default key. */
    useForAccessTokens: boolean('use_for_access_tokens').notNull(),
    /** Certificates of the public key in DER and base64, as in `x5c` (RFC 7517 4.7). */
    certificateChain: text('certificate_chain').array(),
    createdAt: timestampColumn('created_at').notNull(),
    /** When the key stopped signing. It stays published until its last token has expired. */
    retiredAt: timestampColumn('retired_at'),
    /** Until when the JWKS contains a retired key. */
    publishedUntil: timestampColumn('published_until'),
  },
  (table) => [
    // Keys of two applications may have the same kid: no JWKS contains both.
    uniqueIndex('signing_keys_team_kid').on(table.organizationId, table.kid).where(sql`application_id IS NULL`),
    uniqueIndex('signing_keys_application_kid').on(table.applicationId, table.kid),
    uniqueIndex('signing_keys_team_default').on(table.organizationId).where(sql`application_id IS NULL AND is_default`),
    uniqueIndex('signing_keys_application_default').on(table.applicationId).where(sql`is_default`),
    uniqueIndex('signing_keys_application_access').on(table.applicationId).where(sql`use_for_access_tokens`),
  ],
)

const applicationId = () =>
  uuid('application_id')
    .$type<ApplicationId>()
    .notNull()
    .references(() => applications.id, { onDelete: 'cascade' })

/**
 * Scopes of an application. A standard scope has a row only if it was changed.
 */
export const oidcScopes = pgTable(
  'oidc_scopes',
  {
    id: uuid('id').$type<ScopeId>().primaryKey(),
    applicationId: applicationId(),
    name: text('name').notNull(),
    description: text('description'),
    /** Granted if a request names no scope. */
    isDefault: boolean('is_default').notNull(),
    createdAt: timestampColumn('created_at').notNull(),
  },
  (table) => [uniqueIndex('oidc_scopes_name').on(table.applicationId, table.name)],
)

/** Replacements that transform an attribute to the value of a claim. */
export const oidcRegexRules = pgTable(
  'oidc_regex_rules',
  {
    id: uuid('id').$type<RegexRuleId>().primaryKey(),
    applicationId: applicationId(),
    name: text('name').notNull(),
    pattern: text('pattern').notNull(),
    replacement: text('replacement').notNull(),
    flags: text('flags').notNull(),
    createdAt: timestampColumn('created_at').notNull(),
  },
  (table) => [index('oidc_regex_rules_application').on(table.applicationId)],
)

/** Claims in the tokens of an application in addition to the standard ones. */
export const oidcClaims = pgTable(
  'oidc_claims',
  {
    id: uuid('id').$type<ClaimId>().primaryKey(),
    applicationId: applicationId(),
    name: text('name').notNull(),
    userAttribute: text('user_attribute').notNull(),
    regexRuleId: uuid('regex_rule_id')
      .$type<RegexRuleId>()
      .references(() => oidcRegexRules.id),
    targetTokens: text('target_tokens').$type<'ACCESS_TOKEN' | 'ID_TOKEN'>().array().notNull(),
    createdAt: timestampColumn('created_at').notNull(),
  },
  (table) => [
    index('oidc_claims_application').on(table.applicationId),
    index('oidc_claims_regex_rule').on(table.regexRuleId),
  ],
)

/** Token lifetimes of an application in seconds; without a row the defaults apply. */
export const oidcTokenPolicies = pgTable('oidc_token_policies', {
  applicationId: applicationId().primaryKey(),
  accessTokenLifetime: integer('access_token_lifetime').notNull(),
  idTokenLifetime: integer('id_token_lifetime').notNull(),
  refreshTokenLifetime: integer('refresh_token_lifetime').notNull(),
  /** Whether each use of a refresh token replaces it. */
  rotationEnabled: boolean('rotation_enabled').notNull(),
  /** Seconds for which a rotated refresh token returns the same successor again. */
  reuseInterval: integer('reuse_interval').notNull(),
  /** Expiry of the last token with an earlier, longer lifetime: keys stay published until then. */
  tokensUntil: timestampColumn('tokens_until'),
  updatedAt: timestampColumn('updated_at').notNull(),
})
