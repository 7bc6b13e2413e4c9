import Type from 'typebox'
import { anyObject, clearable, clearableUri, nullable, oneOf, timestamp } from '../../platform/http/schema-parts.js'
import { DisplayName, ImageUrl } from '../settings/index.js'
import { type Application, toRegistration } from './registration/registration.js'

const ApplicationType = oneOf('OIDC', 'SAML')
const AuthMethod = oneOf('client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none')
const GrantType = oneOf(
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:device_code',
  'urn:ietf:params:oauth:grant-type:token-exchange',
)

const Uri = Type.String({ maxLength: 2_000 })
const UriList = Type.Array(Uri, { maxItems: 100 })
/** RFC 6749 3.3: any visible ASCII but the quotation mark and the backslash. */
const ScopeToken = Type.String({ maxLength: 100, pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$' })
const Jwks = Type.Object({ keys: Type.Array(anyObject(), { maxItems: 20 }) })
/** One line, not blank; SAML 2.0 core 8.3.6 limits an entity ID to 1,024 characters. */
const SamlName = Type.String({ maxLength: 1_024, pattern: '^(?=.*\\S)[^\\p{C}\\p{Zl}\\p{Zp}]+$' })
// Not `Type.Record`: its pattern for keys rejects line separators.
const StringMap = (options: object = {}) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string', maxLength: 1_000 },
    ...options,
  })

const fields = {
  description: clearable(Type.String({ maxLength: 500 })),
  logoUrl: clearable(ImageUrl),
  redirectUris: Type.Optional(
    Type.Array(Uri, {
      maxItems: 100,
      description:
        'Absolute, without fragment, user info or wildcard; https, or http for loopback addresses (any host while the service itself uses http), private-use schemes for public clients. Compared byte for byte.',
    }),
  ),
  postLogoutRedirectUris: Type.Optional(UriList),
  backchannelLogoutUri: clearable(Uri),
  grantTypes: Type.Optional(Type.Array(GrantType, { maxItems: 20 })),
  responseTypes: Type.Optional(Type.Array(oneOf('code'), { maxItems: 20 })),
  scopes: Type.Optional(Type.Array(ScopeToken, { maxItems: 100 })),
  tokenEndpointAuthMethod: Type.Optional(AuthMethod),
  isPublicClient: Type.Optional(Type.Boolean({ description: 'Equivalent to the authentication method none' })),
  requireDpop: Type.Optional(Type.Boolean()),
  jwks: clearable(Jwks),
  dpopNonceEnabled: Type.Optional(Type.Boolean()),
  isAiAgent: Type.Optional(Type.Boolean()),
  launchUrl: Type.Optional(
    nullable(Type.String({ maxLength: 2_000, description: 'URL that opens the application from the launcher' })),
  ),
  resources: Type.Optional(
    Type.Array(Uri, {
      maxItems: 20,
      description:
        'Resource servers for which the application may request access tokens (RFC 8707), beside the issuer: absolute URIs without fragment and user info; https, http, urn, or a private scheme with a dot, such as com.example.billing',
    }),
  ),
  assignmentRequired: Type.Optional(
    Type.Boolean({
      description: 'Whether only assigned users may use it; false: every member of the team',
    }),
  ),
  samlEntityId: clearable(SamlName),
  samlSpEntityId: clearable(SamlName),
  samlSpAcsUrl: clearable(Uri),
  samlNameIdFormat: clearable(Type.String({ maxLength: 255, pattern: '^[^\\s\\p{C}]+$' })),
  samlAttributeMapping: clearable(
    StringMap({
      maxProperties: 100,
      propertyNames: { maxLength: 500 },
      description:
        'Attribute name → profile field: email, firstName, lastName, displayName, department, title, phone, locale, groups, externalId, id, role. If empty: email, firstName, lastName and displayName under their own names',
    }),
  ),
  samlSpCertificate: clearable(
    Type.String({
      maxLength: 32_768,
      description:
        'PEM, or base64 as in metadata. If set, requests of the service provider must be signed with its key',
    }),
  ),
  samlEncryptAssertion: Type.Optional(
    Type.Boolean({ description: 'Encrypts assertions for `samlSpCertificate`, which must have an RSA key' }),
  ),
  samlSpSloUrl: clearableUri('Single logout URL of the redirect binding'),
  samlSpSloResponseUrl: clearableUri('URL for LogoutResponses over the redirect binding, if it is not `samlSpSloUrl`'),
  samlSpSloPostUrl: clearableUri('Single logout URL of the POST binding'),
  samlSpSloPostResponseUrl: clearableUri(
    'URL for LogoutResponses over the POST binding, if it is not `samlSpSloPostUrl`',
  ),
  samlAllowIdpInitiated: Type.Optional(Type.Boolean({ description: 'Allows IdP-initiated sign-in from the launcher' })),
}

export const CreateApplication = Type.Object({ name: DisplayName, type: ApplicationType, ...fields })
export const UpdateApplication = Type.Object({
  name: Type.Optional(DisplayName),
  type: Type.Optional(ApplicationType),
  ...fields,
})

const shown = {
  id: Type.String(),
  teamId: Type.String(),
  name: Type.String(),
  description: Type.Optional(Type.String()),
  logoUrl: Type.Optional(Type.String()),
  type: Type.String({ description: 'OIDC or SAML' }),
  clientId: Type.String(),
  redirectUris: Type.Array(Type.String()),
  postLogoutRedirectUris: Type.Array(Type.String()),
  backchannelLogoutUri: Type.Optional(Type.String()),
  grantTypes: Type.Array(Type.String()),
  responseTypes: Type.Array(Type.String()),
  scopes: Type.Array(Type.String()),
  tokenEndpointAuthMethod: Type.String(),
  isPublicClient: Type.Boolean(),
  requireDpop: Type.Boolean(),
  dpopNonceEnabled: Type.Boolean(),
  isAiAgent: Type.Boolean(),
  launchUrl: Type.Optional(Type.String()),
  resources: Type.Array(Type.String()),
  jwks: Type.Optional(Jwks),
  assignmentRequired: Type.Boolean(),
  samlEntityId: Type.Optional(Type.String()),
  samlSpEntityId: Type.Optional(Type.String()),
  samlSpAcsUrl: Type.Optional(Type.String()),
  samlNameIdFormat: Type.Optional(Type.String()),
  samlAttributeMapping: Type.Optional(StringMap()),
  samlSpCertificate: Type.Optional(Type.String({ description: 'PEM' })),
  samlEncryptAssertion: Type.Boolean(),
  samlSpSloUrl: Type.Optional(Type.String()),
  samlSpSloResponseUrl: Type.Optional(Type.String()),
  samlSpSloPostUrl: Type.Optional(Type.String()),
  samlSpSloPostResponseUrl: Type.Optional(Type.String()),
  samlAllowIdpInitiated: Type.Boolean(),
  hasSecret: Type.Boolean({ description: 'Whether the application has a secret' }),
  secretRotatedAt: Type.Optional(timestamp()),
  managedByClient: Type.Boolean({
    description: 'Whether the client has a token to manage its own registration (RFC 7592)',
  }),
  stoppedAt: Type.Optional(timestamp('Set while the application is stopped: it receives no tokens')),
  previousSecretExpiresAt: Type.Optional(timestamp('The previous secret is valid until then')),
  createdAt: timestamp(),
  updatedAt: timestamp(),
}

/** Fields that are not set are left out. */
export const ApplicationBody = Type.Object(shown, { $id: 'Application' })
export const CreatedApplication = Type.Object(
  {
    ...shown,
    clientSecret: Type.Optional(
      Type.String({ description: 'Returned once; absent for public clients and private_key_jwt' }),
    ),
  },
  { $id: 'CreatedApplication' },
)

export const RotateSecret = Type.Object({
  keepPreviousFor: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 86_400,
      description: 'Seconds for which the previous secret stays valid; default 0',
    }),
  ),
})
export const RotatedSecret = Type.Object({
  clientSecret: Type.String(),
  previousSecretExpiresAt: Type.Optional(timestamp()),
})

export const presentApplication = (application: Application, now: Date) => ({
  id: application.id,
  teamId: application.organizationId,
  clientId: application.clientId,
  ...Object.fromEntries(Object.entries(toRegistration(application)).filter(([, value]) => value !== null)),
  hasSecret: application.secretHash !== null,
  secretRotatedAt: application.secretRotatedAt?.toISOString(),
  managedByClient: application.registrationTokenHash !== null,
  stoppedAt: application.stoppedAt?.toISOString(),
  previousSecretExpiresAt: ifFuture(application.previousSecretUntil, now)?.toISOString(),
  createdAt: application.createdAt.toISOString(),
  updatedAt: application.updatedAt.toISOString(),
})

const ifFuture = (end: Date | null, now: Date): Date | undefined => (end && end > now ? end : undefined)
