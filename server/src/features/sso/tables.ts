import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, timestampColumn } from '../../platform/db/platform-tables.js'
import type { GroupId, SessionId, SsoProviderId, SsoSignInId, TeamId, UserId } from '../../platform/ids.js'
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

/** Another system by which the members of a team sign in. */
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
    /** An address of which the provider does not say whether it is verified is taken for verified. */
    trustsEmail: boolean('trusts_email').notNull(),
    /** A second factor that the provider says it saw is enough. */
    trustsMfa: boolean('trusts_mfa').notNull(),
    samlEntityId: text('saml_entity_id'),
    samlSsoUrl: text('saml_sso_url'),
    samlSloUrl: text('saml_slo_url'),
    /** PEM; two while the provider goes over from one to the other. */
    samlCertificates: text('saml_certificates').array().notNull().default([]),
    samlMetadataUrl: text('saml_metadata_url'),
    samlMetadataCheckedAt: timestampColumn('saml_metadata_checked_at'),
    samlMetadataError: text('saml_metadata_error'),
    /** When it is read again; null while there is no address, and before the first time. */
    samlMetadataDueAt: timestampColumn('saml_metadata_due_at'),
    /** Which of the settings came from metadata, and go with it; the others were written by hand. */
    samlFromMetadata: text('saml_from_metadata').array().$type<MetadataField[]>().notNull().default([]),
    /** Of which end of its certificates the administrators were told last. */
    certificateWarning: jsonb('certificate_warning').$type<CertificateWarning>(),
    allowIdpInitiated: boolean('allow_idp_initiated').notNull().default(false),
    samlRequiredSignature: text('saml_required_signature')
      .$type<'any' | 'assertion' | 'both'>()
      .notNull()
      .default('any'),
    oidcIssuer: text('oidc_issuer'),
    oidcClientId: text('oidc_client_id'),
    /** Sealed. */
    oidcClientSecret: text('oidc_client_secret'),
    oidcAuthUrl: text('oidc_auth_url'),
    oidcTokenUrl: text('oidc_token_url'),
    oidcUserinfoUrl: text('oidc_userinfo_url'),
    oidcScopes: text('oidc_scopes').array().notNull().default([]),
    /** Counts the changes: a sign-in that was begun before one does not end after it. */
    version: integer('version').notNull(),
    /** By whose rights it acts; null when that account is gone. */
    savedBy: uuid('saved_by')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
    /** Their account's epoch when they saved it; in a later one they no longer act through it. */
    savedEpoch: integer('saved_epoch').notNull().default(0),
    /** The member who set the temporary password that started the session in which it was saved. */
    temporarySetBy: uuid('temporary_set_by').$type<UserId>(),
    /** What they might do when they saved it (an API token less than who made it): it never does more. */
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

/** What metadata of a provider can fill. */
export const METADATA_FIELDS = ['samlEntityId', 'samlSsoUrl', 'samlSloUrl', 'samlCertificates'] as const
export type MetadataField = (typeof METADATA_FIELDS)[number]

export interface CertificateWarning {
  /** Which end, in milliseconds: another one is told anew. */
  endsAt: number
  /** How many days before it they were told. */
  days: number
}

/** Whom a provider means by a subject: settled at their first sign-in. */
export const externalIdentities = pgTable(
  'external_identities',
  {
    providerId: providerId().notNull(),
    subject: text('subject').notNull(),
    userId: uuid('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The groups into which this provider has put the user: it takes them out of no other. */
    groupIds: uuid('group_ids').$type<GroupId>().array().notNull().default([]),
    createdAt: timestampColumn('created_at').notNull(),
    lastUsedAt: timestampColumn('last_used_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.providerId, table.subject] }),
    index('external_identities_user').on(table.userId),
  ],
)

/** A sign-in, or a sign-out, that is at a provider: taken by one statement when its answer comes. */
export const ssoAttempts = pgTable(
  'sso_attempts',
  {
    /** SHA-256 of the state, RelayState or request id. */
    hash: bytes('hash').primaryKey(),
    providerId: providerId().notNull(),
    providerVersion: integer('provider_version').notNull(),
    kind: text('kind').$type<'oidc' | 'saml' | 'saml_logout'>().notNull(),
    /** SHA-256 of the cookie of the browser that began it. */
    browserHash: bytes('browser_hash').notNull(),
    /** What the answer is held against; secrets in it are sealed. */
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    /** Where the person was on their way to: a path of our pages. */
    returnTo: text('return_to'),
    /** The test that this is, in the flight recorder; null for a sign-in. */
    testRun: uuid('test_run').$type<SsoSignInId>(),
    createdAt: timestampColumn('created_at').notNull(),
    expiresAt: timestampColumn('expires_at').notNull(),
  },
  (table) => [index('sso_attempts_provider').on(table.providerId), index('sso_attempts_expiry').on(table.expiresAt)],
)

/** The flight recorder: what the last sign-ins and tests of a provider brought, and how each was judged. */
export const ssoSignIns = pgTable(
  'sso_sign_ins',
  {
    id: uuid('id').$type<SsoSignInId>().primaryKey(),
    providerId: providerId().notNull(),
    organizationId: organizationId().notNull(),
    kind: text('kind').$type<'sign_in' | 'test'>().notNull(),
    /** Null for a test that has not ended. */
    outcome: text('outcome').$type<'signed_in' | 'challenged' | 'refused' | 'would_sign_in'>(),
    /** Why it was refused: the code of an error, and in words. */
    error: text('error'),
    detail: text('detail'),
    userId: uuid('user_id')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
    checks: jsonb('checks').$type<Check[]>().notNull().default([]),
    /** What the provider sent and what became of it; values are cut, and no token is among them. */
    attributes: jsonb('attributes').$type<RecordedAttributes>().notNull().default({}),
    /** A refusal before anything that the provider signed was verified: anybody can make as many as they like. */
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

/** A NameID with what says in which sense it names (Core 2.2.2). */
export interface SamlName {
  value: string
  format?: string | undefined
  nameQualifier?: string | undefined
  spNameQualifier?: string | undefined
}

/** Sessions that a provider opened, by what it calls them: what its sign-out ends. */
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
    /** The NameID as a provider of SAML wrote it: the name by which it is asked to sign out. */
    samlName: jsonb('saml_name').$type<SamlName>(),
    createdAt: timestampColumn('created_at').notNull(),
  },
  (table) => [index('sso_sessions_subject').on(table.providerId, table.subject)],
)

/** Messages of providers that count once: the `jti` of sign-outs, the ids of assertions. */
export const ssoSeenMessages = pgTable(
  'sso_seen_messages',
  {
    providerId: providerId().notNull(),
    /** SHA-256 of its id. */
    hash: bytes('hash').notNull(),
    expiresAt: timestampColumn('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.providerId, table.hash] }),
    index('sso_seen_messages_expiry').on(table.expiresAt),
  ],
)
