import type { Config } from '../../platform/config/config.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { HttpExchange } from '../../platform/http/http-exchange.js'
import type { SentRequest } from '../../platform/http/route.js'
import { sendDocument, type WrittenDocument, writeDocument } from '../../platform/http/written-document.js'
import { openToAll } from './cors.js'
import type { OidcProviderDeps } from './deps.js'
import { discoveryOf } from './discovery.js'
import { findIssuer } from './find-issuer.js'
import type { Issuer, IssuerPath } from './issuer.js'

/** Documents that a node keeps in memory: about 2 KiB each. */
const HELD_DOCUMENTS = 1_000

type Kind = 'metadata' | 'jwks'

export interface IssuerDocuments {
  /** The document of an issuer as it has just been read; written anew when the one held was made of other keys. */
  of(kind: Kind, issuer: Issuer): WrittenDocument
}

export function createIssuerDocuments(config: Pick<Config, 'baseUrl' | 'requireIntrospectionAuth'>): IssuerDocuments {
  const held = new Map<string, { madeOf: string; document: WrittenDocument }>()
  const contentOf = {
    metadata: (issuer: Issuer) => discoveryOf(issuer, config),
    jwks: ({ keys }: Issuer) => ({ keys: keys.all.map(({ publicJwk }) => publicJwk) }),
  }
  return {
    of(kind, issuer) {
      const place = `${kind} ${issuer.path}`
      // Which keys are shown changes with the time too, without a new version.
      const madeOf = [issuer.keyVersion, ...issuer.keys.all.map(({ kid }) => kid)].join(' ')
      const known = held.get(place)
      // The least recently used goes first.
      held.delete(place)
      const entry = known?.madeOf === madeOf ? known : { madeOf, document: writeDocument(contentOf[kind](issuer)) }
      held.set(place, entry)
      const [oldest] = held.keys()
      if (held.size > HELD_DOCUMENTS && oldest) held.delete(oldest)
      return entry.document
    },
  }
}

/**
 * Answers with a document of the issuer of a path. The issuer and the version of its keys are read for each request: a key that is
 * new or gone is so for the next one, on every node.
 * @throws issuer_not_found
 */
export async function answerWithDocument(
  deps: OidcProviderDeps,
  kind: Kind,
  path: IssuerPath | undefined,
  { http, sent, origin }: { http: HttpExchange; sent: SentRequest; origin: RequestOrigin },
  options: { ofTeam?: boolean } = {},
): Promise<string | undefined> {
  openToAll(http)
  const issuer = await findIssuer(deps.db, deps, path, origin, options)
  return sendDocument(http, sent, deps.documents.of(kind, issuer))
}
