import type { AppError, FieldError } from '../../../platform/app-error.js'
import { SECOND } from '../../../platform/clock.js'
import { asAppError } from '../../../platform/http/problem.js'
import { createValidatorCompiler } from '../../../platform/http/validation.js'
import { oauthError } from '../../../protocols/oauth/index.js'
import { type Application, CreateApplication, newRegistration, type Registration } from '../../applications/index.js'
import type { ClientMetadata } from './schema.js'

/** The supported fields of a registration (RFC 7591 2), and the fields of an application that they set. */
const FIELDS = {
  client_name: 'name',
  redirect_uris: 'redirectUris',
  grant_types: 'grantTypes',
  response_types: 'responseTypes',
  token_endpoint_auth_method: 'tokenEndpointAuthMethod',
  scope: 'scopes',
  jwks: 'jwks',
  logo_uri: 'logoUrl',
  client_uri: 'launchUrl',
  post_logout_redirect_uris: 'postLogoutRedirectUris',
  backchannel_logout_uri: 'backchannelLogoutUri',
  dpop_bound_access_tokens: 'requireDpop',
} as const satisfies Record<string, keyof Registration>

const MEMBERS = Object.fromEntries(Object.entries(FIELDS).map(([member, field]) => [field, member]))

/** Fields that request an unsupported feature on which a client would rely. Other unknown fields are ignored. */
const UNSUPPORTED =
  /^(jwks_uri|sector_identifier_uri|request_uris|request_object_\w+|\w+_encrypted_response_(alg|enc)|(userinfo|authorization|introspection)_signed_response_alg|tls_client_\w+|frontchannel_logout_\w+|default_max_age|require_(auth_time|signed_request_object|pushed_authorization_requests))$/

export const invalidMetadata = (detail: string): AppError => oauthError('invalid_client_metadata', { detail })

/** A client as its metadata and the defaults describe it. */
export type RequestedClient = Pick<Registration, (typeof FIELDS)[keyof typeof FIELDS] | 'isPublicClient' | 'type'>

/**
 * Parses metadata and validates each field with the rules for applications. `addApplication` and `changeApplication` validate combinations.
 * @param idTokenAlgorithm algorithm of the issuer
 * @throws invalid_client_metadata, invalid_redirect_uri
 */
export function parseClientMetadata(metadata: ClientMetadata, idTokenAlgorithm: string): RequestedClient {
  rejectNotServed(metadata, idTokenAlgorithm)
  const redirectUris = metadata.redirect_uris ?? []
  const grantTypes = metadata.grant_types ?? defaultGrantTypes(metadata)
  const leadsBack = grantTypes.includes('authorization_code')
  const responseTypes = metadata.response_types ?? (leadsBack ? ['code'] : [])
  if (responseTypes.includes('code') !== leadsBack)
    throw invalidMetadata('response_types must contain code if and only if grant_types contains authorization_code')
  if (leadsBack && redirectUris.length === 0)
    throw oauthError('invalid_redirect_uri', {
      detail: 'redirect_uris is required for the grant type authorization_code',
    })
  const method = metadata.token_endpoint_auth_method ?? (metadata.jwks ? 'private_key_jwt' : 'client_secret_basic')
  const { name, type, scopes } = newRegistration(metadata.client_name, 'OIDC')
  const hasPeople = grantTypes.some((grant) => grant !== 'client_credentials')
  const wanted = {
    name,
    type,
    redirectUris,
    grantTypes,
    responseTypes,
    tokenEndpointAuthMethod: method,
    isPublicClient: method === 'none',
    scopes: metadata.scope?.split(' ').filter(Boolean) ?? (hasPeople ? scopes : []),
    jwks: metadata.jwks ?? null,
    logoUrl: metadata.logo_uri ?? null,
    launchUrl: metadata.client_uri ?? null,
    postLogoutRedirectUris: metadata.post_logout_redirect_uris ?? [],
    backchannelLogoutUri: metadata.backchannel_logout_uri ?? null,
    requireDpop: metadata.dpop_bound_access_tokens ?? false,
  }
  return validated(wanted)
}

/** Returns the grant types of a client that names none. */
export const defaultGrantTypes = ({ redirect_uris: uris }: Pick<ClientMetadata, 'redirect_uris'>): string[] =>
  uris && uris.length > 0 ? ['authorization_code', 'refresh_token'] : ['client_credentials']

let verify: ReturnType<ReturnType<typeof createValidatorCompiler>> | undefined

/** Validates with the schema of `POST /applications`. */
function validated(wanted: object): RequestedClient {
  verify ??= createValidatorCompiler()({ schema: CreateApplication, method: 'POST', url: '', httpPart: 'body' })
  const { error } = verify(wanted) as { error?: Error }
  if (error) throw asOAuthError(Object.assign(error, { validationContext: 'body' }))
  return wanted as RequestedClient
}

function rejectNotServed(metadata: ClientMetadata, idTokenAlgorithm: string): void {
  for (const [member, value] of Object.entries(metadata)) {
    const isSet = value !== null && value !== false && !(Array.isArray(value) && value.length === 0)
    if (isSet && UNSUPPORTED.test(member)) throw invalidMetadata(`${member} is not supported`)
  }
  if ((metadata.subject_type ?? 'public') !== 'public') throw invalidMetadata('subject_type must be public')
  if ((metadata.id_token_signed_response_alg ?? idTokenAlgorithm) !== idTokenAlgorithm)
    throw invalidMetadata(`id_token_signed_response_alg must be ${idTokenAlgorithm}, the algorithm of this issuer`)
}

/** Converts a validation error of an application to an error of RFC 7591 3.2.2; returns every other error unchanged. */
export function asOAuthError(thrown: unknown): unknown {
  const error = asAppError(thrown)
  if (error.code !== 'invalid_request' || !error.errors) return thrown
  const ofRedirect = error.errors.some(({ path }) => path.startsWith('/redirectUris'))
  const detail = error.errors.slice(0, 10).map(formatFieldError).join('; ')
  return oauthError(ofRedirect ? 'invalid_redirect_uri' : 'invalid_client_metadata', { detail })
}

function formatFieldError({ path, message }: FieldError): string {
  const [field = '', ...rest] = path.split('/').slice(1)
  return `${[MEMBERS[field] ?? field, ...rest].join('/')} ${message}`
}

/** Returns the registered metadata (RFC 7591 3.2.1) without the secret and the registration access token. */
export const metadataOfClient = (application: Application, baseUrl: string, idTokenAlgorithm: string) => ({
  client_id: application.clientId,
  client_id_issued_at: Math.floor(application.createdAt.getTime() / SECOND),
  registration_client_uri: `${baseUrl}/api/v1/oauth/register/${application.clientId}`,
  team_id: application.organizationId,
  client_name: application.name,
  redirect_uris: application.redirectUris,
  grant_types: application.grantTypes,
  response_types: application.responseTypes,
  token_endpoint_auth_method: application.tokenEndpointAuthMethod,
  scope: application.scopes.join(' '),
  jwks: application.jwks ?? undefined,
  logo_uri: application.logoUrl ?? undefined,
  client_uri: application.launchUrl ?? undefined,
  post_logout_redirect_uris: application.postLogoutRedirectUris,
  backchannel_logout_uri: application.backchannelLogoutUri ?? undefined,
  dpop_bound_access_tokens: application.requireDpop,
  subject_type: 'public',
  id_token_signed_response_alg: idTokenAlgorithm,
})
