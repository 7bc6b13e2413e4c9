import { type Application, usesSecret } from '../../applications/index.js'
import { isSecretOf } from '../model/client-secret.js'
import { TOKEN_EXCHANGE } from '../model/grant-types.js'
import { defaultGrantTypes, invalidMetadata, parseClientMetadata, type RequestedClient } from './client-metadata.js'
import type { ClientMetadata } from './schema.js'

/** What a client sends to replace its registration (RFC 7592 2.2). */
export type ReplacingMetadata = ClientMetadata & { client_id: string; client_secret?: string | null }

/**
 * What a client becomes that replaces its own metadata. What is left out is at its default, but nothing gets looser by it than it is:
 * an administrator may have narrowed what was registered, and the client must not take that back.
 * @param application as it is, locked
 * @param idTokenAlgorithm of the issuer
 * @throws invalid_client_metadata, invalid_redirect_uri
 */
export function replaceMetadata(
  application: Application,
  metadata: ReplacingMetadata,
  idTokenAlgorithm: string,
  now: Date,
): RequestedClient {
  rejectOtherClient(application, metadata, now)
  const wanted = parseClientMetadata(
    { ...metadata, grant_types: replacedGrantTypes(application, metadata) },
    idTokenAlgorithm,
  )
  rejectOtherAuthMethod(application, wanted)
  return {
    ...wanted,
    scopes: narrowed(application, metadata.scope == null ? application.scopes : wanted.scopes),
    requireDpop: keepDpopRequirement(application, metadata, wanted),
  }
}

function rejectOtherClient(application: Application, metadata: ReplacingMetadata, now: Date): void {
  if (metadata.client_id !== application.clientId) throw invalidMetadata('client_id must be that of the address')
  if (metadata.team_id != null && metadata.team_id.toLowerCase() !== application.organizationId)
    throw invalidMetadata('team_id cannot be changed')
  if (metadata.client_secret != null && !isSecretOf(application, metadata.client_secret, now))
    throw invalidMetadata('client_secret must be the present one: it cannot be chosen')
}

function rejectOtherAuthMethod(application: Application, wanted: RequestedClient): void {
  if (wanted.isPublicClient && !application.isPublicClient)
    throw invalidMetadata('token_endpoint_auth_method must not become none: only administrators make a client public')
  if (usesSecret(wanted) && application.secretHash === null)
    throw invalidMetadata('token_endpoint_auth_method must stay one without a secret: this client has none')
}

/**
 * What registration could have given it, but for what an administrator took away since; and the exchange of tokens, which makes an
 * agent of it, only while it has it. Left out, it is the default as far as that goes.
 */
function replacedGrantTypes(
  { grantTypes: present, withheldGrantTypes }: Application,
  metadata: ReplacingMetadata,
): string[] {
  const mayHave = (grant: string) =>
    present.includes(grant) || (grant !== TOKEN_EXCHANGE && !withheldGrantTypes.includes(grant))
  const wanted = metadata.grant_types
  if (wanted == null) {
    const left = [
      ...defaultGrantTypes(metadata).filter(mayHave),
      ...present.filter((grant) => grant === TOKEN_EXCHANGE),
    ]
    if (left.length > 0) return left
  }
  if (!wanted?.every(mayHave))
    throw invalidMetadata('grant_types must hold none that an administrator took away or has yet to give')
  return wanted
}

function narrowed({ scopes: present }: Application, wanted: string[]): string[] {
  if (wanted.some((scope) => !present.includes(scope)))
    throw invalidMetadata('scope must hold no more than it does now: only administrators add to it')
  return wanted
}

function keepDpopRequirement(
  { requireDpop }: Application,
  metadata: ReplacingMetadata,
  wanted: RequestedClient,
): boolean {
  if (requireDpop && metadata.dpop_bound_access_tokens === false)
    throw invalidMetadata('dpop_bound_access_tokens must stay true: only administrators end it')
  return requireDpop || wanted.requireDpop
}
