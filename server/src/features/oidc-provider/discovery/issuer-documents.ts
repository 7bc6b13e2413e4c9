import type { Config } from '../../../platform/config/config.js'
import { type WrittenDocument, writeDocument } from '../../../platform/http/written-document.js'
import type { Issuer } from '../model/issuer.js'
import { discoveryOf } from './discovery.js'

/** Documents that a node keeps in memory: about 2 KiB each. */
const MAX_CACHED_DOCUMENTS = 1_000

export type DocumentKind = 'metadata' | 'jwks'

export interface IssuerDocuments {
  /** The document of an issuer as it has just been read; written anew when the one held was made of other keys. */
  of(kind: DocumentKind, issuer: Issuer): WrittenDocument
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
      if (held.size > MAX_CACHED_DOCUMENTS && oldest) held.delete(oldest)
      return entry.document
    },
  }
}
