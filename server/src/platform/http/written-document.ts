import { hash } from 'node:crypto'
import Type, { type TSchema } from 'typebox'
import type { HttpExchange } from './http-exchange.js'
import type { SentRequest } from './route.js'

/** A document that is the same for all clients: serialized once, sent many times, with an entity tag (RFC 9110 8.8.3). */
export interface WrittenDocument<Text extends string | Buffer = string> {
  text: Text
  /** A strong tag. */
  tag: string
  /** Default: JSON. */
  type?: string
}

export const serializeDocument = (content: object): WrittenDocument => toDocument(JSON.stringify(content))

/** Creates a document from its serialized form. */
export const toDocument = (text: string, type?: string): WrittenDocument => ({
  text,
  tag: `"${hash('sha256', text, 'base64url')}"`,
  ...(type && { type }),
})

/** The headers that a route with `sendDocument` declares. */
export const DOCUMENT_HEADERS = { 'if-none-match': "RFC 9110 13.1.2: the entity tags of the client's cached copies" }
export const documentResponses = <T extends TSchema>(document: T) => ({
  200: document,
  304: Type.Null({ description: 'The cached copy is current' }),
})

/**
 * Sends the document, or 304 if the client has a current copy. Caches must revalidate it each time (`no-cache`), so that changes
 * take effect on the next request.
 */
export function sendDocument<Text extends string | Buffer>(
  http: HttpExchange,
  { method }: Pick<SentRequest, 'method'>,
  { text, tag, type = 'application/json; charset=utf-8' }: WrittenDocument<Text>,
): Text | undefined {
  http.setHeader('etag', tag)
  http.setHeader('cache-control', 'no-cache')
  if (isNamed(tag, http.header('if-none-match'))) {
    http.status(304)
    // The response to a HEAD request has the length of the document.
    if (method !== 'HEAD') return undefined
  }
  http.setHeader('content-type', type)
  return text
}

/** Compares weakly (RFC 9110 13.1.2), because proxies that compress responses weaken strong tags. */
const isNamed = (tag: string, ifNoneMatch: string | undefined): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((one) => one.trim().replace(/^W\//, '') === tag))
