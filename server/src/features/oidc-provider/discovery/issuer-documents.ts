import { LRUCache } from 'lru-cache'
import type { Config } from '../../../platform/config/config.js'
import { serializeDocument, type WrittenDocument } from '../../../platform/http/written-document.js'
import type { Issuer } from '../model/issuer.js'
import { discoveryOf } from './discovery.js'

/** Documents that a node caches: about 2 KiB each. */
const MAX_CACHED_DOCUMENTS = 1_000

export type DocumentKind = 'metadata' | 'jwks'

export interface IssuerDocuments {
  /** Returns the document of an issuer. Replaces a cached document with other keys. */
  of(kind: DocumentKind, issuer: Issuer): WrittenDocument
}

export function createIssuerDocuments(config: Pick<Config, 'baseUrl' | 'requireIntrospectionAuth'>): IssuerDocuments {
  const cache = new LRUCache<string, { madeOf: string; document: WrittenDocument }>({ max: MAX_CACHED_DOCUMENTS })
  const contentOf = {
    metadata: (issuer: Issuer) => discoveryOf(issuer, config),
    jwks: ({ keys }: Issuer) => ({ keys: keys.all.map(({ publicJwk }) => publicJwk) }),
  }
  return {
    of(kind, issuer) {
      const place = `${kind} ${issuer.path}`
      // The published keys also change with time, without a new version.
      const madeOf = [issuer.keyVersion, ...issuer.keys.all.map(({ kid }) => kid)].join(' ')
      const known = cache.get(place)
      const entry = known?.madeOf === madeOf ? known : { madeOf, document: serializeDocument(contentOf[kind](issuer)) }
      cache.set(place, entry)
      return entry.document
    },
  }
}
