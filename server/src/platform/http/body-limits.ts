import { rejection } from '../errors.js'

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
/** Members of one object of a JSON body. No schema names as many, and an unknown one costs more than an element of an array. */
const MAX_MEMBERS = 1_000

/** Fields of a form. */
const MAX_FIELDS = 1_000

const QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * Verifies depth, number of values and members of an object before the body is parsed.
 * @throws invalid_request
 */
export function verifyJsonSize(body: Uint8Array, { values }: BodyLimit): void {
  const excess = findJsonExcess(body, values)
  if (excess) throw rejection('invalid_request', { detail: `The body ${excess}` })
}

/** The initial count of an array, whose elements count only as values. */
const NO_OBJECT = -(2 ** 31)

/** The number of members of the current object at each level. Shared, because a pass is synchronous. */
const membersAt = new Int32Array(MAX_DEPTH + 2)

/**
 * Finds JSON that is expensive to parse or to traverse, in one pass over the bytes without allocations that stops at the first
 * excess. Malformed JSON passes if it is within the limits; the parser rejects it.
 * @returns the excess as a phrase after "The body"; undefined if the body is within the limits
 */
export function findJsonExcess(json: Uint8Array, values: number): string | undefined {
  let depth = 0
  let count = 1
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    switch (byte) {
      case QUOTE:
        at = endOfString(json, at)
        break
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`
        membersAt[depth] = byte === 0x7b ? 1 : NO_OBJECT
        count++
        break
      case 0x5d: // ]
      case 0x7d: // }
        if (depth > 0) depth--
        break
      case 0x2c: // ,
        count++
        if (++(membersAt[depth] as number) > MAX_MEMBERS)
          return `has an object with more than ${withCommas(MAX_MEMBERS)} members`
        break
    }
    if (count > values) return `has more than ${withCommas(values)} values`
  }
  return undefined
}

const withCommas = (number: number): string => number.toLocaleString('en-US')

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
  rejection('invalid_request', { detail: `The body has more than ${withCommas(most)} ${what}` })
