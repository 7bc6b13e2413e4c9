import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, timestampColumn } from '../../platform/db/platform-tables.js'
import type { GroupId, OriginId, SessionId, SsoProviderId, SsoSignInId, TeamId, UserId } from '../../platform/ids.js'
import type { Check } from '../../protocols/id-token/index.js'
import { sessions } from '../sessions/index.js'
import { organizations } from '../teams/index.js'
import { users } from '../users/index.js'

const organizationId = () =>
  uuid('organization_id')
    .$type<TeamId>()
    .references(() => organizations.id, { onDelete: 'cascade' })
const providerId = () =>
  uuid('provider_id')
    .$type<SsoProviderId>()
    .references(() => ssoProviders.id, { onDelete: 'cascade' })

/** Identity providers of teams. */
export const ssoProviders = pgTable(
  'sso_providers',
  {
    id: uuid('id').$type<SsoProviderId>().primaryKey(),
    organizationId: organizationId().notNull(),
    name: text('name').notNull(),
    type: text('type')
      .$type<'VENDORA' | 'VENDORB_AD' | 'VENDORC_WORKSPACE' | 'GENERIC_SAML' | 'GENERIC_OIDC'>()
      .notNull(),
    protocol: text('protocol').$type<'SAML2' | 'OIDC'>().notNull(),
    enabled: boolean('enabled').notNull(),
    autoProvision: boolean('auto_provision').notNull(),
    /** Lower case, in their ASCII form. */
    allowedDomains: text('allowed_domains').array().notNull(),
    /** Attribute of the provider → field of the profile. */
    attributeMapping: jsonb('attribute_mapping').$type<Record<string, string>>().notNull(),
    /** Treats an email address as verified if the provider does not state whether it is. */
    trustsEmail: boolean('trusts_email').notNull(),
    /** Accepts a second factor that the provider states to have verified. */
    trustsMfa: boolean('trusts_mfa').notNull(),
    /** The CA certificates (PEM) that may have issued the TLS certificates of its servers; null for those of the system. */
    caCertificate: text('ca_certificate'),
    samlEntityId: text('saml_entity_id'),
    samlSsoUrl: text('saml_sso_url'),
    /** Single logout URLs: one per binding, and one for responses if it differs. */
    samlSloUrl: text('saml_slo_url'),
    samlSloResponseUrl: text('saml_slo_response_url'),
    samlSloPostUrl: text('saml_slo_post_url'),
    samlSloPostResponseUrl: text('saml_slo_post_response_url'),
    /** PEM; two during a certificate rollover. */
    samlCertificates: text('saml_certificates').array().notNull().default([]),
    samlMetadataUrl: text('saml_metadata_url'),
    samlMetadataCheckedAt: timestampColumn('saml_metadata_checked_at'),
    samlMetadataError: text('saml_metadata_error'),
    /** When it is read next; null if there is no metadata URL, and before the first reading. */
    samlMetadataDueAt: timestampColumn('saml_metadata_due_at'),
    /** The settings that come from the metadata and follow it; the others were entered manually. */
    samlFromMetadata: text('saml_from_metadata').array().$type<MetadataField[]>().notNull().default([]),
    /** The certificate expiry of which the administrators were last notified. */
    certificateWarning: jsonb('certificate_warning').$type<CertificateWarning>(),
    allowIdpInitiated: boolean('allow_idp_initiated').notNull().default(false),
    samlRequiredSignature: text('saml_required_signature')
      .$type<'any' | 'assertion' | 'both'>()
      .notNull()
      .default('any'),
    oidcIssuer: text('oidc_issuer'),
    oidcClientId: text('oidc_client_id'),
    /** Encrypted. */
    oidcClientSecret: text('oidc_client_secret'),
    oidcAuthUrl: text('oidc_auth_url'),
    oidcTokenUrl: text('oidc_token_url'),
    oidcUserinfoUrl: text('oidc_userinfo_url'),
    oidcScopes: text('oidc_scopes').array().notNull().default([]),
    /** Incremented by each change: a sign-in that started before one is rejected. */
    version: integer('version').notNull(),
    /** The last editor, with whose permissions it acts; null if that account was deleted. */
    savedBy: uuid('saved_by')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
    /** The editor's epoch at that time; in a later epoch the provider has no last editor. */
    savedEpoch: integer('saved_epoch').notNull().default(0),
    /** The origin of the editor's session. */
    temporarySetBy: uuid('temporary_set_by').$type<OriginId>(),
    /** The editor's permissions at that time (fewer with an API token): the provider never has more. */
    savedPermissions: text('saved_permissions').array().notNull(),
    createdAt: timestampColumn('created_at').notNull(),
    updatedAt: timestampColumn('updated_at').notNull(),
  },
  (table) => [
    index('sso_providers_newest').on(table.organizationId, table.createdAt, table.id),
    index('sso_providers_domains').using('gin', table.allowedDomains),
    index('sso_providers_saved_by').on(table.savedBy),
    index('sso_providers_metadata_due').on(table.samlMetadataDueAt).where(sql`saml_metadata_url IS NOT NULL`),
  ],
)

/** The settings that metadata can fill. */
export const METADATA_FIELDS = [
  'samlEntityId',
  'samlSsoUrl',
  'samlSloUrl',
  'samlSloResponseUrl',
  'samlSloPostUrl',
  'samlSloPostResponseUrl',
  'samlCertificates',
] as const
export type MetadataField = (typeof METADATA_FIELDS)[number]

export interface CertificateWarning {
  /** The expiry, in milliseconds: another one is notified again. */
  endsAt: number
  /** Days before the expiry at which they were notified. */
  days: number
}

/** The user behind each subject of a provider, linked at the first sign-in. */
export const externalIdentities = pgTable(
  'external_identities',
  {
    providerId: providerId().notNull(),
    subject: text('subject').notNull(),
    userId: uuid('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Groups to which this provider has added the user: it removes the user from no others. */
    groupIds: uuid('group_ids').$type<GroupId>().array().notNull().default([]),
    createdAt: timestampColumn('created_at').notNull(),
    lastUsedAt: timestampColumn('last_used_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.providerId, table.subject] }),
    index('external_identities_user').on(table.userId),
  ],
)

/** A sign-in or sign-out in progress at a provider, taken by one statement when the response arrives. */
export const ssoAttempts = pgTable(
  'sso_attempts',
  {
    /** SHA-256 of the state, RelayState or request ID. */
    hash: bytes('hash').primaryKey(),
    providerId: providerId().notNull(),
    providerVersion: integer('provider_version').notNull(),
    kind: text('kind').$type<'oidc' | 'saml' | 'saml_logout' | 'saml_logout_resumed'>().notNull(),
    /** SHA-256 of the cookie of the browser that started it. */
    browserHash: bytes('browser_hash').notNull(),
    /** Values to verify the response with; secrets are encrypted. */
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    /** The path of Keyward's pages to continue to. */
    returnTo: text('return_to'),
    /** The test in the sign-in log; null for a sign-in. */
    testRun: uuid('test_run').$type<SsoSignInId>(),
    createdAt: timestampColumn('created_at').notNull(),
    expiresAt: timestampColumn('expires_at').notNull(),
  },
  (table) => [index('sso_attempts_provider').on(table.providerId), index('sso_attempts_expiry').on(table.expiresAt)],
)

/** The sign-in log: the last sign-ins and tests of each provider, with the result of every check. */
export const ssoSignIns = pgTable(
  'sso_sign_ins',
  {
    id: uuid('id').$type<SsoSignInId>().primaryKey(),
    providerId: providerId().notNull(),
    organizationId: organizationId().notNull(),
    kind: text('kind').$type<'sign_in' | 'test'>().notNull(),
    /** Null for a pending test. */
    outcome: text('outcome').$type<'signed_in' | 'challenged' | 'refused' | 'would_sign_in'>(),
    /** Error code of a rejection; the reason is in `detail`. */
    error: text('error'),
    detail: text('detail'),
    userId: uuid('user_id')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
    checks: jsonb('checks').$type<Check[]>().notNull().default([]),
    /** Attributes that the provider sent, and the mapped ones; values are shortened and contain no tokens. */
    attributes: jsonb('attributes').$type<RecordedAttributes>().notNull().default({}),
    /** A rejection before any signature of the provider was verified: a third party can cause any number of them. */
    isOutsiders: boolean('is_strangers').notNull().default(false),
    createdAt: timestampColumn('created_at').notNull(),
  },
  (table) => [
    index('sso_sign_ins_newest').on(table.providerId, table.createdAt, table.id),
    index('sso_sign_ins_organization').on(table.organizationId),
    index('sso_sign_ins_user').on(table.userId),
    index('sso_sign_ins_age').on(table.createdAt),
  ],
)

export interface RecordedAttributes {
  received?: Record<string, string>
  mapped?: Record<string, string>
}

/** A NameID with its qualifiers (Core 2.2.2). */
export interface SamlName {
  value: string
  format?: string | undefined
  nameQualifier?: string | undefined
  spNameQualifier?: string | undefined
}

/** The provider's names for the sessions that it started, used by its sign-out. */
export const ssoSessions = pgTable(
  'sso_sessions',
  {
    sessionId: uuid('session_id')
      .$type<SessionId>()
      .primaryKey()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    providerId: providerId().notNull(),
    subject: text('subject').notNull(),
    /** `sid` (OpenID Connect) or SessionIndex (SAML). */
    sessionIndex: text('session_index'),
    /** The NameID as a SAML provider sent it, used in Keyward's LogoutRequest. */
    samlName: jsonb('saml_name').$type<SamlName>(),
    createdAt: timestampColumn('created_at').notNull(),
  },
  (table) => [index('sso_sessions_subject').on(table.providerId, table.subject)],
)

/** Messages of providers that are accepted once: the `jti` of logout tokens, the IDs of assertions. */
export const ssoSeenMessages = pgTable(
  'sso_seen_messages',
  {
    providerId: providerId().notNull(),
    /** SHA-256 of the message ID. */
    hash: bytes('hash').notNull(),
    expiresAt: timestampColumn('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.providerId, table.hash] }),
    index('sso_seen_messages_expiry').on(table.expiresAt),
  ],
)
