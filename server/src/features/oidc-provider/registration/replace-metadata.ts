import { type Application, usesSecret } from '../../applications/index.js'
import { isSecretOf } from '../model/client-secret.js'
import { TOKEN_EXCHANGE } from '../model/grant-types.js'
import { defaultGrantTypes, invalidMetadata, parseClientMetadata, type RequestedClient } from './client-metadata.js'
import type { ClientMetadata } from './schema.js'

/** The body of a request to replace a registration (RFC 7592 2.2). */
export type ReplacingMetadata = ClientMetadata & { client_id: string; client_secret?: string | null }

/**
 * Returns the client with its new metadata. An omitted field is reset to its default, but no field becomes less restrictive: the client must
 * not undo a restriction by an administrator.
 * @param application the current application, locked
 * @param idTokenAlgorithm algorithm of the issuer
 * @throws invalid_client_metadata, invalid_redirect_uri
 */
export function replaceMetadata(
  application: Application,
  metadata: ReplacingMetadata,
  idTokenAlgorithm: string,
  now: Date,
): RequestedClient {
  rejectOtherClient(application, metadata, now)
  const requested = parseClientMetadata(
    { ...metadata, grant_types: replacedGrantTypes(application, metadata) },
    idTokenAlgorithm,
  )
  rejectOtherAuthMethod(application, requested)
  return {
    ...requested,
    scopes: narrowed(application, metadata.scope == null ? application.scopes : requested.scopes),
    requireDpop: keepDpopRequirement(application, metadata, requested),
  }
}

function rejectOtherClient(application: Application, metadata: ReplacingMetadata, now: Date): void {
  if (metadata.client_id !== application.clientId) throw invalidMetadata('client_id must be the one in the URL')
  if (metadata.team_id != null && metadata.team_id.toLowerCase() !== application.organizationId)
    throw invalidMetadata('team_id cannot be changed')
  if (metadata.client_secret != null && !isSecretOf(application, metadata.client_secret, now))
    throw invalidMetadata('client_secret must be the current secret and cannot be changed')
}

function rejectOtherAuthMethod(application: Application, requested: RequestedClient): void {
  if (requested.isPublicClient && !application.isPublicClient)
    throw invalidMetadata('token_endpoint_auth_method must not become none: only administrators make a client public')
  if (usesSecret(requested) && application.secretHash === null)
    throw invalidMetadata('token_endpoint_auth_method must not require a secret: this client has none')
}

/**
 * Returns the new grant types: all that registration allows, except those that an administrator removed. Token exchange, which makes the
 * client an agent, is kept but not added. If omitted, the allowed defaults apply.
 */
function replacedGrantTypes(
  { grantTypes: present, withheldGrantTypes }: Application,
  metadata: ReplacingMetadata,
): string[] {
  const mayHave = (grant: string) =>
    present.includes(grant) || (grant !== TOKEN_EXCHANGE && !withheldGrantTypes.includes(grant))
  const requested = metadata.grant_types
  if (requested == null) {
    const left = [
      ...defaultGrantTypes(metadata).filter(mayHave),
      ...present.filter((grant) => grant === TOKEN_EXCHANGE),
    ]
    if (left.length > 0) return left
  }
  if (!requested?.every(mayHave))
    throw invalidMetadata('grant_types must not contain one that an administrator removed or must add')
  return requested
}

function narrowed({ scopes: present }: Application, requested: string[]): string[] {
  if (requested.some((scope) => !present.includes(scope)))
    throw invalidMetadata('scope must not contain more than the current scopes: only administrators add scopes')
  return requested
}

function keepDpopRequirement(
  { requireDpop }: Application,
  metadata: ReplacingMetadata,
  requested: RequestedClient,
): boolean {
  if (requireDpop && metadata.dpop_bound_access_tokens === false)
    throw invalidMetadata('dpop_bound_access_tokens must stay true: only administrators can disable it')
  return requireDpop || requested.requireDpop
}
