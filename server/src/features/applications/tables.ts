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
import type { ApplicationId, GroupId, OriginId, TeamId, UserId } from '../../platform/ids.js'
import { groups } from '../groups/index.js'
import { memberships } from '../members/index.js'
import { teamColumn } from '../teams/index.js'

export const applications = pgTable(
  'applications',
  {
    id: uuid('id').$type<ApplicationId>().primaryKey(),
    organizationId: teamColumn(),
    name: text('name').notNull(),
    description: text('description'),
    logoUrl: text('logo_url'),
    type: text('type').$type<'OIDC' | 'SAML'>().notNull(),
    /** The OAuth client identifier, unique in the instance. */
    clientId: text('client_id').notNull(),
    /** SHA-256 of the secret; null for public clients and private_key_jwt. */
    secretHash: bytes('secret_hash'),
    secretRotatedAt: timestampColumn('secret_rotated_at'),
    /** The previous secret during the overlap. */
    previousSecretHash: bytes('previous_secret_hash'),
    previousSecretUntil: timestampColumn('previous_secret_until'),
    /** SHA-256 of the registration access token (RFC 7592). */
    registrationTokenHash: bytes('registration_token_hash'),
    /** The member with whose permissions that token acts; null: the token is accepted only if it belongs to the instance. */
    registrationTokenBy: uuid('registration_token_by').$type<UserId>(),
    /** The creator's epoch when the token was issued; a later epoch ends their authority. */
    registrationTokenEpoch: integer('registration_token_epoch').notNull().default(0),
    /** The member who set the temporary password of the creator's session. */
    registrationTokenTemporarySetBy: uuid('registration_token_temporary_set_by').$type<OriginId>(),
    /** Registered with the instance's API_TOKEN: the token depends on no member. */
    registrationTokenOfInstance: boolean('registration_token_of_instance').notNull().default(false),
    redirectUris: text('redirect_uris').array().notNull(),
    /** Allowed redirects after a sign-out; if empty, the redirect URIs apply. */
    postLogoutRedirectUris: text('post_logout_redirect_uris').array().notNull(),
    /** Receives logout tokens (OpenID Connect Back-Channel Logout). */
    backchannelLogoutUri: text('backchannel_logout_uri'),
    grantTypes: text('grant_types').array().notNull(),
    /** Grant types that administrators removed: a client that manages itself cannot add them again. */
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
    /** When the application was stopped. A stopped application receives no tokens, and its earlier ones are revoked. */
    stoppedAt: timestampColumn('stopped_at'),
    /** URL that opens the application from the launcher. */
    launchUrl: text('launch_url'),
    /** Resource servers for which the application may request access tokens (RFC 8707), beside the issuer. */
    resources: text('resources').array().notNull().default([]),
    jwks: jsonb('jwks').$type<{ keys: Record<string, unknown>[] }>(),
    /** Whether only assigned users may use the application; false: every member of the team. */
    assignmentRequired: boolean('assignment_required').notNull(),
    samlEntityId: text('saml_entity_id'),
    samlSpEntityId: text('saml_sp_entity_id'),
    samlSpAcsUrl: text('saml_sp_acs_url'),
    samlNameIdFormat: text('saml_name_id_format'),
    samlAttributeMapping: jsonb('saml_attribute_mapping').$type<Record<string, string>>(),
    /** PEM: verifies the service provider's signatures and encrypts its assertions. If set, its requests must be signed. */
    samlSpCertificate: text('saml_sp_certificate'),
    samlEncryptAssertion: boolean('saml_encrypt_assertion').notNull().default(false),
    /** Single logout URLs: one per binding, and one for responses if it differs. */
    samlSpSloUrl: text('saml_sp_slo_url'),
    samlSpSloResponseUrl: text('saml_sp_slo_response_url'),
    samlSpSloPostUrl: text('saml_sp_slo_post_url'),
    samlSpSloPostResponseUrl: text('saml_sp_slo_post_response_url'),
    /** Allows IdP-initiated sign-in. */
    samlAllowIdpInitiated: boolean('saml_allow_idp_initiated').notNull().default(false),
    /** Incremented by each change; invalidates what nodes cached of the application. */
    version: integer('version').notNull(),
    /** Incremented when everything that the application received is revoked: invalidates its grants, pending requests and tokens. */
    generation: integer('generation').notNull(),
    /** Number of previous secrets that were revoked early. A change invalidates earlier client_credentials tokens. */
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
    /** For the foreign key: leaving the team deletes the assignment. */
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
