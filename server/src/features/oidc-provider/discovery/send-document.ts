import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { HttpExchange } from '../../../platform/http/http-exchange.js'
import type { SentRequest } from '../../../platform/http/route.js'
import { sendDocument } from '../../../platform/http/written-document.js'
import { allowAnyOrigin } from '../model/cors.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { findIssuer } from '../model/find-issuer.js'
import type { IssuerPath } from '../model/issuer.js'
import type { DocumentKind } from './issuer-documents.js'

/**
 * Sends a document of an issuer. Each request reads the issuer and the version of its keys, so a new or deleted key takes effect on the next
 * request, on every node.
 * @throws issuer_not_found
 */
export async function sendIssuerDocument(
  deps: OidcProviderDeps,
  kind: DocumentKind,
  path: IssuerPath | undefined,
  { http, sent, origin }: { http: HttpExchange; sent: SentRequest; origin: RequestOrigin },
  options: { ofTeam?: boolean } = {},
): Promise<string | undefined> {
  allowAnyOrigin(http)
  const issuer = await findIssuer(deps, path, origin, options)
  return sendDocument(http, sent, deps.documents.of(kind, issuer))
}
