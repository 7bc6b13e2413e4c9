import { hash } from 'node:crypto'
import Type, { type TSchema } from 'typebox'
import type { HttpExchange } from './http-exchange.js'
import type { SentRequest } from './route.js'

/** A document, JSON unless it says otherwise, that is the same for whoever asks: written once, sent many times, and known by its entity tag (RFC 9110 8.8.3). */
export interface WrittenDocument<Text extends string | Buffer = string> {
  text: Text
  /** Strong: of the very bytes. */
  tag: string
  /** Its media type. */
  type?: string
}

export const writeDocument = (content: object): WrittenDocument => asDocument(JSON.stringify(content))

/** A text that is written already. */
export const asDocument = (text: string, type?: string): WrittenDocument => ({
  text,
  tag: `"${hash('sha256', text, 'base64url')}"`,
  ...(type && { type }),
})

/** What a route declares that answers by `sendDocument`. */
export const DOCUMENT_HEADERS = { 'if-none-match': 'RFC 9110 13.1.2: the entity tags of what the client has already' }
export const documentAnswers = <T extends TSchema>(document: T) => ({
  200: document,
  304: Type.Null({ description: 'The client has it already' }),
})

/**
 * The document, or 304 for a client that has it. Whoever keeps it has to ask each time whether it is still the same (`no-cache`):
 * what it says is to hold from the next request on.
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
    // Of the answer to a HEAD only its length goes out, and that is the document's.
    if (method !== 'HEAD') return undefined
  }
  http.setHeader('content-type', type)
  return text
}

/** The weak comparison of RFC 9110 13.1.2: proxies that compress answers make a strong tag weak. */
const isNamed = (tag: string, ifNoneMatch: string | undefined): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((one) => one.trim().replace(/^W\//, '') === tag))
