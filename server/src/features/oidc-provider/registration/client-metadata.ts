import type { AppError, FieldError } from '../../../platform/app-error.js'
import { SECOND } from '../../../platform/clock.js'
import { oauthError } from '../../../platform/http/oauth-dialect.js'
import { asAppError } from '../../../platform/http/problem.js'
import { createValidatorCompiler } from '../../../platform/http/validation.js'
import { type Application, CreateApplication, newRegistration, type Registration } from '../../applications/index.js'
import type { ClientMetadata } from './schema.js'

/** The members of a registration (RFC 7591 2), and what they are called of an application. */
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

/** What is not served, and would be missed by a client that believes that it is. Other members that we do not know are ignored. */
const NOT_SERVED =
  /^(jwks_uri|sector_identifier_uri|request_uris|request_object_\w+|\w+_encrypted_response_(alg|enc)|(userinfo|authorization|introspection)_signed_response_alg|tls_client_\w+|frontchannel_logout_\w+|default_max_age|require_(auth_time|signed_request_object|pushed_authorization_requests))$/

export const invalidMetadata = (detail: string): AppError => oauthError('invalid_client_metadata', { detail })

/** What a client of these metadata is, as far as metadata say it: what is left out is at its default. */
export type RequestedClient = Pick<Registration, (typeof FIELDS)[keyof typeof FIELDS] | 'isPublicClient' | 'type'>

/**
 * Reads metadata by the rules for applications, but for those that judge one field by another.
 * @param idTokenAlgorithm of the issuer
 * @throws invalid_client_metadata, invalid_redirect_uri
 */
export function parseClientMetadata(metadata: ClientMetadata, idTokenAlgorithm: string): RequestedClient {
  rejectNotServed(metadata, idTokenAlgorithm)
  const redirectUris = metadata.redirect_uris ?? []
  const grantTypes = metadata.grant_types ?? defaultGrantTypes(metadata)
  const leadsBack = grantTypes.includes('authorization_code')
  const responseTypes = metadata.response_types ?? (leadsBack ? ['code'] : [])
  if (responseTypes.includes('code') !== leadsBack)
    throw invalidMetadata(
      'response_types must hold code together with the grant type authorization_code, and only then',
    )
  if (leadsBack && redirectUris.length === 0)
    throw oauthError('invalid_redirect_uri', {
      detail: 'redirect_uris must name where authorization_code leads back',
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
  return judged(wanted)
}

/** What a client gets that does not say by which grants. */
export const defaultGrantTypes = ({ redirect_uris: uris }: Pick<ClientMetadata, 'redirect_uris'>): string[] =>
  uris && uris.length > 0 ? ['authorization_code', 'refresh_token'] : ['client_credentials']

let verify: ReturnType<ReturnType<typeof createValidatorCompiler>> | undefined

/** By the very schema by which an administrator makes an application. */
function judged(wanted: object): RequestedClient {
  verify ??= createValidatorCompiler()({ schema: CreateApplication, method: 'POST', url: '', httpPart: 'body' })
  const { error } = verify(wanted) as { error?: Error }
  if (error) throw asOAuthError(Object.assign(error, { validationContext: 'body' }))
  return wanted as RequestedClient
}

function rejectNotServed(metadata: ClientMetadata, idTokenAlgorithm: string): void {
  for (const [member, value] of Object.entries(metadata)) {
    const says = value !== null && value !== false && !(Array.isArray(value) && value.length === 0)
    if (says && NOT_SERVED.test(member)) throw invalidMetadata(`${member} is not served here`)
  }
  if ((metadata.subject_type ?? 'public') !== 'public') throw invalidMetadata('subject_type must be public')
  if ((metadata.id_token_signed_response_alg ?? idTokenAlgorithm) !== idTokenAlgorithm)
    throw invalidMetadata(`id_token_signed_response_alg must be ${idTokenAlgorithm}, by which this issuer signs`)
}

/** A refusal of the rules for applications as RFC 7591 3.2.2 says it; anything else as it is. */
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

/** The client as it is registered (RFC 7591 3.2.1), without its secret and without the token that manages it. */
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
