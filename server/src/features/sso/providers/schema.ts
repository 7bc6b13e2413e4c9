import Type from 'typebox'
import { MAX_CA_LENGTH } from '../../../platform/crypto/ca-certificates.js'
import { clearable, clearableUri, timestamp } from '../../../platform/http/schema-parts.js'
import { SINGLE_LINE } from '../../../platform/single-line.js'
import type { Certificate } from '../../../protocols/saml/index.js'
import { DisplayName } from '../../settings/index.js'
import { certificateOf, endOf, writtenFingerprint } from '../model/certificate.js'
import type { Provider } from '../model/provider.js'
import { acsUrl, samlLoginUrl, spEntityId } from '../model/saml-urls.js'
import { MAX_ENTITY_ID_LENGTH } from '../saml-metadata/read-metadata.js'
import { PROFILE_FIELDS } from './profile-fields.js'

const oneOf = <const Names extends readonly string[]>(...names: Names) =>
  Type.Unsafe<Names[number]>({ type: 'string', enum: names })

const ProviderType = oneOf('VENDORA', 'VENDORB_AD', 'VENDORC_WORKSPACE', 'GENERIC_SAML', 'GENERIC_OIDC')
const Protocol = oneOf('SAML2', 'OIDC')
const RequiredSignature = oneOf('any', 'assertion', 'both')

export const Uri = Type.String({ maxLength: 2_000 })
const OneLine = (maxLength: number) => Type.String({ maxLength, pattern: SINGLE_LINE })
export const EntityId = OneLine(MAX_ENTITY_ID_LENGTH)
/** A metadata document. The maximum is the size limit of the XML reader. */
export const Metadata = Type.String({ maxLength: 262_144 })
const Pem = Type.String({ maxLength: 16_384 })
/** RFC 6749 3.3. */
const ScopeToken = Type.String({ maxLength: 100, pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$' })
const Mapping = (options: object = {}) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string', maxLength: 100 },
    ...options,
  })

export const CaCertificate = Type.Optional(
  Type.Union([Type.String({ maxLength: MAX_CA_LENGTH }), Type.Null()], {
    description:
      "CA certificates (PEM) that may have issued the TLS certificates of the provider's servers; null for those of the system",
  }),
)

const fields = {
  enabled: Type.Optional(Type.Boolean()),
  autoProvision: Type.Optional(
    Type.Boolean({
      description:
        'Add users to the team at their first sign-in: new accounts, and existing accounts if allowedDomains contains their domain',
    }),
  ),
  allowedDomains: Type.Optional(
    Type.Array(Type.String({ maxLength: 255 }), {
      maxItems: 100,
      description: 'Email domains that may use the provider; empty means all. Replaces the list',
    }),
  ),
  attributeMapping: Type.Optional(
    Mapping({
      maxProperties: 100,
      propertyNames: { maxLength: 500 },
      description: `Provider attribute → profile field: ${PROFILE_FIELDS.join(', ')}. If several attributes map to one field, the first by name with a value is used. Unknown fields are stored but ignored. Fields without a mapping use the attribute names of the provider type`,
    }),
  ),
  trustsEmail: Type.Optional(
    Type.Boolean({
      description:
        'Treat an email address as verified if the provider does not state whether it is. Defaults to true for VENDORB_AD with a single-tenant issuer',
    }),
  ),
  trustsMfa: Type.Optional(
    Type.Boolean({
      description:
        'Accept a second factor at the provider for this team: no factor is requested here, and sign-in policies that require one are met. If the instance requires a factor, the user must still enroll one here',
    }),
  ),
  caCertificate: CaCertificate,
  samlEntityId: clearable(EntityId),
  samlSsoUrl: clearable(Uri),
  samlSloUrl: clearableUri('Single logout URL of the redirect binding'),
  samlSloResponseUrl: clearableUri('URL for LogoutResponses over the redirect binding, if it is not `samlSloUrl`'),
  samlSloPostUrl: clearableUri('Single logout URL of the POST binding'),
  samlSloPostResponseUrl: clearableUri('URL for LogoutResponses over the POST binding, if it is not `samlSloPostUrl`'),
  samlCertificate: clearable(Pem),
  samlCertificates: Type.Optional(
    Type.Array(Pem, { maxItems: 2, description: 'Two during a certificate rollover of the provider' }),
  ),
  samlMetadataUrl: Type.Optional(
    Type.Union([Uri, Type.Null()], {
      description:
        'URL of the provider metadata. It fills samlEntityId, samlSsoUrl, the single logout URLs and the certificates that were not entered manually. It is read if a setting is missing, and at least once a day',
    }),
  ),
  samlMetadata: Type.Optional(
    Type.Union([Metadata, Type.Null()], {
      writeOnly: true,
      description:
        'The metadata document. It replaces the settings that the same request does not contain; it is not stored',
    }),
  ),
  allowIdpInitiated: Type.Optional(Type.Boolean()),
  samlRequiredSignature: Type.Optional(RequiredSignature),
  oidcIssuer: clearable(Uri),
  oidcClientId: clearable(OneLine(500)),
  oidcClientSecret: clearable(Type.String({ minLength: 1, maxLength: 2_000 })),
  oidcAuthUrl: clearable(Uri),
  oidcTokenUrl: clearable(Uri),
  oidcUserinfoUrl: clearable(Uri),
  oidcScopes: Type.Optional(Type.Array(ScopeToken, { maxItems: 50 })),
}

export const CreateProvider = Type.Object({
  name: DisplayName,
  type: ProviderType,
  protocol: Protocol,
  reservation: Type.Optional(
    Type.String({
      maxLength: 1_000,
      writeOnly: true,
      description: 'OIDC: the `reservation` of a redirect URL that is already registered at the provider',
    }),
  ),
  ...fields,
})
export const UpdateProvider = Type.Object({
  name: Type.Optional(DisplayName),
  type: Type.Optional(ProviderType),
  protocol: Type.Optional(Protocol),
  ...fields,
})

/** A certificate in responses. */
export const CertificateBody = Type.Object({
  subject: Type.String(),
  fingerprint: Type.String({ description: 'SHA-256' }),
  validFrom: timestamp(),
  validTo: timestamp(),
})

/** Unset fields are omitted. */
export const ProviderBody = Type.Object(
  {
    id: Type.String(),
    orgId: Type.String(),
    name: Type.String(),
    type: Type.String(),
    protocol: Type.String({ description: 'SAML2 or OIDC' }),
    enabled: Type.Boolean(),
    autoProvision: Type.Boolean(),
    allowedDomains: Type.Array(Type.String()),
    attributeMapping: Mapping(),
    trustsEmail: Type.Boolean(),
    trustsMfa: Type.Boolean(),
    caCertificate: Type.Optional(Type.String()),
    samlEntityId: Type.Optional(Type.String()),
    samlSsoUrl: Type.Optional(Type.String()),
    samlSloUrl: Type.Optional(Type.String()),
    samlSloResponseUrl: Type.Optional(Type.String()),
    samlSloPostUrl: Type.Optional(Type.String()),
    samlSloPostResponseUrl: Type.Optional(Type.String()),
    samlMetadataUrl: Type.Optional(Type.String()),
    samlFromMetadata: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Settings that are taken from the metadata and updated with it; the others were entered manually',
      }),
    ),
    samlMetadataCheckedAt: Type.Optional(timestamp('When the metadata URL was last read')),
    samlMetadataError: Type.Optional(
      Type.String({ description: 'Why the metadata could not be used when it was last read' }),
    ),
    samlCertificates: Type.Optional(Type.Array(CertificateBody)),
    certificateExpiresAt: Type.Optional(
      timestamp('The latest expiry of its certificates; in the past if all have expired'),
    ),
    allowIdpInitiated: Type.Optional(Type.Boolean()),
    samlRequiredSignature: Type.Optional(Type.String()),
    oidcIssuer: Type.Optional(Type.String()),
    oidcClientId: Type.Optional(Type.String()),
    hasClientSecret: Type.Optional(
      Type.Boolean({ description: 'Whether a client secret is stored; it is never returned' }),
    ),
    oidcAuthUrl: Type.Optional(Type.String()),
    oidcTokenUrl: Type.Optional(Type.String()),
    oidcUserinfoUrl: Type.Optional(Type.String()),
    oidcScopes: Type.Optional(Type.Array(Type.String())),
    acsUrl: Type.Optional(
      Type.String({ description: 'SAML2: URL for responses of the provider (assertion consumer service)' }),
    ),
    spEntityId: Type.Optional(Type.String({ description: 'SAML2: the entity ID of Keyward for this provider' })),
    spMetadataUrl: Type.Optional(Type.String({ description: 'SAML2: URL of the metadata of Keyward' })),
    loginUrl: Type.Optional(Type.String({ description: 'SAML2: URL that starts a sign-in with the provider' })),
    callbackUrl: Type.Optional(Type.String({ description: 'OIDC: redirect URI to register at the provider' })),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { $id: 'SsoProvider' },
)

export const callbackUrl = (baseUrl: string, { id }: Pick<Provider, 'id'>): string =>
  `${baseUrl}/api/v1/sso/oidc/${id}/callback`

export function presentProvider(provider: Provider, baseUrl: string) {
  return {
    id: provider.id,
    orgId: provider.organizationId,
    name: provider.name,
    type: provider.type,
    protocol: provider.protocol,
    enabled: provider.enabled,
    autoProvision: provider.autoProvision,
    allowedDomains: provider.allowedDomains,
    attributeMapping: provider.attributeMapping,
    trustsEmail: provider.trustsEmail,
    trustsMfa: provider.trustsMfa,
    caCertificate: provider.caCertificate ?? undefined,
    ...(provider.protocol === 'OIDC' ? presentOidc(provider, baseUrl) : presentSaml(provider, baseUrl)),
    createdAt: provider.createdAt.toISOString(),
    updatedAt: provider.updatedAt.toISOString(),
  }
}

const presentOidc = (provider: Provider, baseUrl: string) => ({
  oidcIssuer: provider.oidcIssuer ?? undefined,
  oidcClientId: provider.oidcClientId ?? undefined,
  hasClientSecret: provider.oidcClientSecret !== null,
  oidcAuthUrl: provider.oidcAuthUrl ?? undefined,
  oidcTokenUrl: provider.oidcTokenUrl ?? undefined,
  oidcUserinfoUrl: provider.oidcUserinfoUrl ?? undefined,
  oidcScopes: provider.oidcScopes,
  callbackUrl: callbackUrl(baseUrl, provider),
})

function presentSaml(provider: Provider, baseUrl: string) {
  const certificates = provider.samlCertificates.flatMap((pem) => certificateOf(pem) ?? [])
  const end = endOf(provider)
  return {
    samlEntityId: provider.samlEntityId ?? undefined,
    samlSsoUrl: provider.samlSsoUrl ?? undefined,
    samlSloUrl: provider.samlSloUrl ?? undefined,
    samlSloResponseUrl: provider.samlSloResponseUrl ?? undefined,
    samlSloPostUrl: provider.samlSloPostUrl ?? undefined,
    samlSloPostResponseUrl: provider.samlSloPostResponseUrl ?? undefined,
    samlMetadataUrl: provider.samlMetadataUrl ?? undefined,
    samlFromMetadata: provider.samlFromMetadata,
    samlMetadataCheckedAt: provider.samlMetadataCheckedAt?.toISOString(),
    samlMetadataError: provider.samlMetadataError ?? undefined,
    samlCertificates: certificates.map(presentCertificate),
    certificateExpiresAt: end?.toISOString(),
    allowIdpInitiated: provider.allowIdpInitiated,
    samlRequiredSignature: provider.samlRequiredSignature,
    acsUrl: acsUrl(baseUrl, provider.organizationId),
    spEntityId: spEntityId(baseUrl, provider.organizationId),
    spMetadataUrl: spEntityId(baseUrl, provider.organizationId),
    loginUrl: samlLoginUrl(baseUrl, provider),
  }
}

export const presentCertificate = (certificate: Certificate) => ({
  subject: certificate.subject,
  fingerprint: writtenFingerprint(certificate),
  validFrom: certificate.notBefore.toISOString(),
  validTo: certificate.notAfter.toISOString(),
})
