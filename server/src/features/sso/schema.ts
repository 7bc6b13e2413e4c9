import Type from 'typebox'
import { SINGLE_LINE } from '../../platform/single-line.js'
import { DisplayName } from '../settings/index.js'
import { type CertificateFacts, endOf, factsOf } from './certificate.js'
import { LONGEST_ENTITY_ID } from './entity-id.js'
import { PROFILE_FIELDS } from './profile-fields.js'
import type { Provider } from './provider.js'
import { acsUrl, samlLoginUrl, spEntityId } from './saml-addresses.js'

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const optional = <T extends Type.TSchema>(schema: T) => Type.Optional(nullable(schema))
const oneOf = <const Names extends readonly string[]>(...names: Names) =>
  Type.Unsafe<Names[number]>({ type: 'string', enum: names })

const ProviderType = oneOf('VENDORA', 'VENDORB_AD', 'VENDORC_WORKSPACE', 'GENERIC_SAML', 'GENERIC_OIDC')
const Protocol = oneOf('SAML2', 'OIDC')
const RequiredSignature = oneOf('any', 'assertion', 'both')

export const Uri = Type.String({ maxLength: 2_000 })
const OneLine = (maxLength: number) => Type.String({ maxLength, pattern: SINGLE_LINE })
export const EntityId = OneLine(LONGEST_ENTITY_ID)
/** As long as the reader of XML takes it. */
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

const fields = {
  enabled: Type.Optional(Type.Boolean()),
  autoProvision: Type.Optional(
    Type.Boolean({ description: 'Make the account at the first sign-in of somebody who has none' }),
  ),
  allowedDomains: Type.Optional(
    Type.Array(Type.String({ maxLength: 255 }), {
      maxItems: 100,
      description: 'E-mail domains that may use it; empty = all. Replaces the list',
    }),
  ),
  attributeMapping: Type.Optional(
    Mapping({
      maxProperties: 100,
      propertyNames: { maxLength: 500 },
      description: `Attribute of the provider → field: ${PROFILE_FIELDS.join(', ')}. Of several for one field, the first by name that has a value counts. Others are kept and do nothing; what it leaves out is looked for under the names of the type`,
    }),
  ),
  trustsEmail: Type.Optional(
    Type.Boolean({
      description:
        'Take an address for verified of which the provider does not say whether it is. On at first for VENDORB_AD with the issuer of one tenant',
    }),
  ),
  trustsMfa: Type.Optional(
    Type.Boolean({
      description:
        'A second factor that the provider says it saw is enough for this team: none of ours is asked for, and its rules of sign-in that require one are met. Where the instance requires one, it must be enrolled here all the same',
    }),
  ),
  samlEntityId: optional(EntityId),
  samlSsoUrl: optional(Uri),
  samlSloUrl: optional(Uri),
  samlCertificate: optional(Pem),
  samlCertificates: Type.Optional(
    Type.Array(Pem, { maxItems: 2, description: 'Two while the provider goes over from one to the other' }),
  ),
  samlMetadataUrl: Type.Optional(
    Type.Union([Uri, Type.Null()], {
      description:
        'Where the provider describes itself: samlEntityId, samlSsoUrl, samlSloUrl and the certificates that are not written by hand come from it. It is read when something is missing, and once a day at least',
    }),
  ),
  samlMetadata: Type.Optional(
    Type.Union([Metadata, Type.Null()], {
      writeOnly: true,
      description:
        'That document itself. What the same request does not give is taken from it, in place of what was there; it is not kept',
    }),
  ),
  allowIdpInitiated: Type.Optional(Type.Boolean()),
  samlRequiredSignature: Type.Optional(RequiredSignature),
  oidcIssuer: optional(Uri),
  oidcClientId: optional(OneLine(500)),
  oidcClientSecret: optional(Type.String({ minLength: 1, maxLength: 2_000 })),
  oidcAuthUrl: optional(Uri),
  oidcTokenUrl: optional(Uri),
  oidcUserinfoUrl: optional(Uri),
  oidcScopes: Type.Optional(Type.Array(ScopeToken, { maxItems: 50 })),
}

export const CreateProvider = Type.Object({ name: DisplayName, type: ProviderType, protocol: Protocol, ...fields })
export const UpdateProvider = Type.Object({
  name: Type.Optional(DisplayName),
  type: Type.Optional(ProviderType),
  protocol: Type.Optional(Protocol),
  ...fields,
})

const timestamp = Type.String({ format: 'date-time' })

/** A certificate as it is shown. */
export const CertificateBody = Type.Object({
  subject: Type.String(),
  fingerprint: Type.String({ description: 'SHA-256' }),
  validFrom: timestamp,
  validTo: timestamp,
})

/** What is not set is left out. */
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
    samlEntityId: Type.Optional(Type.String()),
    samlSsoUrl: Type.Optional(Type.String()),
    samlSloUrl: Type.Optional(Type.String()),
    samlMetadataUrl: Type.Optional(Type.String()),
    samlFromMetadata: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Which of these came from metadata, and follow it; others were written by hand',
      }),
    ),
    samlMetadataCheckedAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'When the address of the metadata was asked last' }),
    ),
    samlMetadataError: Type.Optional(Type.String({ description: 'Why it could not be used then' })),
    samlCertificates: Type.Optional(Type.Array(CertificateBody)),
    certificateExpiresAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'When the last of its certificates ends' }),
    ),
    allowIdpInitiated: Type.Optional(Type.Boolean()),
    samlRequiredSignature: Type.Optional(Type.String()),
    oidcIssuer: Type.Optional(Type.String()),
    oidcClientId: Type.Optional(Type.String()),
    hasClientSecret: Type.Optional(
      Type.Boolean({ description: 'Whether there is a secret, which nobody can see again' }),
    ),
    oidcAuthUrl: Type.Optional(Type.String()),
    oidcTokenUrl: Type.Optional(Type.String()),
    oidcUserinfoUrl: Type.Optional(Type.String()),
    oidcScopes: Type.Optional(Type.Array(Type.String())),
    acsUrl: Type.Optional(
      Type.String({ description: 'SAML2: where the provider sends its responses to (assertion consumer service)' }),
    ),
    spEntityId: Type.Optional(Type.String({ description: 'SAML2: by what name the provider knows us' })),
    spMetadataUrl: Type.Optional(Type.String({ description: 'SAML2: where we describe ourselves' })),
    loginUrl: Type.Optional(Type.String({ description: 'SAML2: where a sign-in by the provider begins' })),
    callbackUrl: Type.Optional(
      Type.String({ description: 'OIDC: the redirect URI that the provider has to know of us' }),
    ),
    createdAt: timestamp,
    updatedAt: timestamp,
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
  const certificates = provider.samlCertificates.flatMap((pem) => factsOf(pem) ?? [])
  const end = endOf(provider)
  return {
    samlEntityId: provider.samlEntityId ?? undefined,
    samlSsoUrl: provider.samlSsoUrl ?? undefined,
    samlSloUrl: provider.samlSloUrl ?? undefined,
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

export const presentCertificate = ({ validFrom, validTo, ...rest }: CertificateFacts) => ({
  ...rest,
  validFrom: validFrom.toISOString(),
  validTo: validTo.toISOString(),
})
