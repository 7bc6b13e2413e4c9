import { sql } from 'drizzle-orm'
import {
  boolean,
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
import type { ApplicationId, GroupId, TeamId, UserId } from '../../platform/ids.js'
import { groups } from '../groups/index.js'
import { memberships } from '../members/index.js'
import { organizations } from '../teams/index.js'

export const applications = pgTable(
  'applications',
  {
    id: uuid('id').$type<ApplicationId>().primaryKey(),
    organizationId: uuid('organization_id')
      .$type<TeamId>()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    description: text('description'),
    logoUrl: text('logo_url'),
    type: text('type').$type<'OIDC' | 'SAML'>().notNull(),
    /** The OAuth client identifier: unique in the instance, so that an authorize request finds its application by it alone. */
    clientId: text('client_id').notNull(),
    /** SHA-256 of the generated secret; null for a public client and for one that signs its assertions. */
    secretHash: bytes('secret_hash'),
    secretRotatedAt: timestampColumn('secret_rotated_at'),
    /** The secret before it, as long as both are good. */
    previousSecretHash: bytes('previous_secret_hash'),
    previousSecretUntil: timestampColumn('previous_secret_until'),
    /** SHA-256 of the token by which a client that registered itself manages its registration (RFC 7592). */
    registrationTokenHash: bytes('registration_token_hash'),
    /** The member with whose permissions that token acts; null: nobody's, and then it is accepted only if it is the instance's. */
    registrationTokenBy: uuid('registration_token_by').$type<UserId>(),
    /** Their account's epoch then; in a later one they no longer answer for it. */
    registrationTokenEpoch: integer('registration_token_epoch').notNull().default(0),
    /** The member who set the temporary password that started the session behind it. */
    registrationTokenTemporarySetBy: uuid('registration_token_temporary_set_by').$type<UserId>(),
    /** The instance's API_TOKEN registered the client: the token depends on no member. */
    registrationTokenOfInstance: boolean('registration_token_of_instance').notNull().default(false),
    redirectUris: text('redirect_uris').array().notNull(),
    /** Where a sign-out may lead; empty = the redirect URIs serve. */
    postLogoutRedirectUris: text('post_logout_redirect_uris').array().notNull(),
    /** Where the end of a session is told to (OpenID Connect Back-Channel Logout). */
    backchannelLogoutUri: text('backchannel_logout_uri'),
    grantTypes: text('grant_types').array().notNull(),
    /** What administrators took away from a client that manages itself: it does not take that back. */
    withheldGrantTypes: text('withheld_grant_types').array().notNull().default([]),
    responseTypes: text('response_types').array().notNull(),
    scopes: text('scopes').array().notNull(),
    tokenEndpointAuthMethod: text('token_endpoint_auth_method')
      .$type<'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none'>()
      .notNull(),
    isPublicClient: boolean('is_public_client').notNull(),
    requireDpop: boolean('require_dpop').notNull(),
    dpopNonceEnabled: boolean('dpop_nonce_enabled').notNull(),
    isAiAgent: boolean('is_ai_agent').notNull(),
    /** When it was stopped: until it is started again it gets nothing, and what it was given is dead. */
    stoppedAt: timestampColumn('stopped_at'),
    /** Where a user starts it from their list of applications. */
    launchUrl: text('launch_url'),
    /** Resource servers for which it may ask access tokens (RFC 8707), beside the issuer itself. */
    resources: text('resources').array().notNull().default([]),
    jwks: jsonb('jwks').$type<{ keys: Record<string, unknown>[] }>(),
    /** Whether only those may use it to whom it is assigned; else every member of the team. */
    assignmentRequired: boolean('assignment_required').notNull(),
    samlEntityId: text('saml_entity_id'),
    samlSpEntityId: text('saml_sp_entity_id'),
    samlSpAcsUrl: text('saml_sp_acs_url'),
    samlNameIdFormat: text('saml_name_id_format'),
    samlAttributeMapping: jsonb('saml_attribute_mapping').$type<Record<string, string>>(),
    /** PEM: what the service provider signs by, and what its assertions are encrypted to. With one, its requests must be signed. */
    samlSpCertificate: text('saml_sp_certificate'),
    samlEncryptAssertion: boolean('saml_encrypt_assertion').notNull().default(false),
    samlSpSloUrl: text('saml_sp_slo_url'),
    /** A sign-in may begin here, without a request. */
    samlAllowIdpInitiated: boolean('saml_allow_idp_initiated').notNull().default(false),
    /** Counts the changes: what a node has compiled of an application is used only while this is the same. */
    version: integer('version').notNull(),
    /** Counts the rotations of the secret: a token that no user's grant stands behind dies with its generation. */
    generation: integer('generation').notNull(),
    /** Counts the previous secrets that were ended by hand: what the application was given for itself before dies with each. */
    secretsEnded: integer('secrets_ended').notNull().default(0),
    createdAt: timestampColumn('created_at').notNull(),
    updatedAt: timestampColumn('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('applications_client_id').on(table.clientId),
    index('applications_organization').on(table.organizationId, table.createdAt),
    index('applications_registration_token_by')
      .on(table.registrationTokenBy)
      .where(sql`registration_token_by IS NOT NULL`),
  ],
)

const applicationId = () =>
  uuid('application_id')
    .$type<ApplicationId>()
    .notNull()
    .references(() => applications.id, { onDelete: 'cascade' })

export const applicationUsers = pgTable(
  'application_users',
  {
    applicationId: applicationId(),
    userId: uuid('user_id').$type<UserId>().notNull(),
    /** Whoever leaves the team loses its applications: the database sees to it. */
    organizationId: uuid('organization_id').$type<TeamId>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.applicationId, table.userId] }),
    foreignKey({
      name: 'application_users_membership',
      columns: [table.userId, table.organizationId],
      foreignColumns: [memberships.userId, memberships.organizationId],
    }).onDelete('cascade'),
    index('application_users_user').on(table.userId, table.organizationId),
  ],
)

export const applicationGroups = pgTable(
  'application_groups',
  {
    applicationId: applicationId(),
    groupId: uuid('group_id')
      .$type<GroupId>()
      .notNull()
      .references(() => groups.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.applicationId, table.groupId] }),
    index('application_groups_group').on(table.groupId),
  ],
)
