import { refusal } from '../errors.js'

/** The limits of a request body. */
export interface BodyLimit {
  bytes: number
  /** Values of a JSON body: members, elements, and the arrays and objects that contain them. */
  values: number
}

/** Applies to each route that declares no other limit. */
export const STANDARD_BODY: BodyLimit = { bytes: 65_536, values: 10_000 }

/** For SCIM, SAML, imports, and routes that replace a set: 10,000 IDs are within it. */
export const LARGE_BODY: BodyLimit = { bytes: 1_048_576, values: 100_000 }

/** Nested arrays and objects of a JSON body. */
const MAX_DEPTH = 32

/** Fields of a form. */
const MAX_FIELDS = 1_000

const QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * Verifies depth and number of values before the body is parsed: one pass over the bytes, which allocates nothing and stops at the
 * first excess. A body that is not JSON passes if it is within the limits; the parser rejects it.
 * @throws invalid_request
 */
export function verifyJsonSize(body: Uint8Array, { values }: BodyLimit): void {
  let depth = 0
  let count = 1
  for (let at = 0; at < body.length; at++) {
    switch (body[at]) {
      case QUOTE:
        at = endOfString(body, at)
        break
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > MAX_DEPTH)
          throw refusal('invalid_request', { detail: `The body is nested deeper than ${MAX_DEPTH} levels` })
        count++
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth--
        break
      case 0x2c: // ,
        count++
        break
    }
    if (count > values) throw tooMany(values, 'values')
  }
}

/** Returns the index of the closing quote, or the length of the body if there is none. */
function endOfString(body: Uint8Array, start: number): number {
  let at = start + 1
  while (at < body.length && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1
  return at
}

/**
 * Verifies the number of fields before a form is parsed.
 * @throws invalid_request
 */
export function verifyFormSize(body: Buffer): void {
  let fields = 1
  for (let at = body.indexOf('&'); at >= 0; at = body.indexOf('&', at + 1))
    if (++fields > MAX_FIELDS) throw tooMany(MAX_FIELDS, 'fields')
}

const tooMany = (most: number, what: string) =>
  refusal('invalid_request', { detail: `The body has more than ${most.toLocaleString('en-US')} ${what}` })
