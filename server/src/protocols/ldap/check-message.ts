/**
 * Verifies that bytes are exactly one LDAPMessage of a server (RFC 4511 sections 4.1.1 and 5.1), down to the last element. The library
 * that parses it afterwards trusts inner lengths: a length beyond its element would make it loop indefinitely.
 */

interface Element {
  tag: number
  /** The offsets of the content. */
  start: number
  end: number
}

const INTEGER = 0x02
const OCTET_STRING = 0x04
const BOOLEAN = 0x01
const ENUMERATED = 0x0a
const SEQUENCE = 0x30
const SET = 0x31
const CONTROLS = 0xa0
const REFERRAL = 0xa3
export const SEARCH_DONE = 0x65
const SEARCH_ENTRY = 0x64
const SEARCH_REFERENCE = 0x73
/** BindResponse, SearchResultDone, ExtendedResponse. */
export const RESULTS = [0x61, SEARCH_DONE, 0x78]
/** Optional elements of a result: referral, SASL credentials, name and value of an extended response. */
const AFTER_RESULT = [REFERRAL, 0x87, 0x8a, 0x8b]

/** Returns the total length of an element from its first bytes; undefined if they are too few, NaN if they are invalid. */
export function elementLength(bytes: Buffer): number | undefined {
  const first = bytes[1]
  if (first === undefined) return undefined
  if (first < 0x80) return 2 + first
  const count = first & 0x7f
  if (count === 0 || count > 4) return Number.NaN
  return bytes.length < 2 + count ? undefined : 2 + count + bytes.readUIntBE(2, count)
}

/** Returns the elements between two offsets; undefined unless they fill the range exactly. */
function elementsOf(bytes: Buffer, { start, end }: Omit<Element, 'tag'>): Element[] | undefined {
  const elements: Element[] = []
  for (let at = start; at < end; ) {
    const header = bytes.subarray(at, Math.min(at + 6, end))
    const length = elementLength(header)
    if (length === undefined || Number.isNaN(length) || at + length > end) return undefined
    const first = bytes[at + 1] ?? 0
    elements.push({ tag: bytes[at] ?? 0, start: at + (first < 0x80 ? 2 : 2 + (first & 0x7f)), end: at + length })
    at += length
  }
  return elements
}

/** The parts of a message that we read ourselves. */
export interface CheckedMessage {
  /** The ID of the request; 0 for an unsolicited notification (RFC 4511 section 4.4). */
  id: number
  operation: number
  /** The cookie of a SearchResultDone with a page control (RFC 2696); empty after the last page. */
  cookie: Buffer | undefined
  /** The diagnostic message of a result; empty if there is none. */
  diagnostic: Buffer | undefined
}

const PAGED_RESULTS = Buffer.from('1.2.840.113556.1.4.319')

/** Returns undefined if the bytes are not a valid message of a server. */
export function checkMessage(bytes: Buffer): CheckedMessage | undefined {
  const [message, ...more] = elementsOf(bytes, { start: 0, end: bytes.length }) ?? []
  if (message?.tag !== SEQUENCE || more.length > 0) return undefined
  const parts = elementsOf(bytes, message)
  const [number, operation, controls, ...rest] = parts ?? []
  const id = number && idOf(bytes, number)
  if (id === undefined || !operation || rest.length > 0) return undefined
  if (!isOperation(bytes, operation)) return undefined
  if (controls && controls.tag !== CONTROLS) return undefined
  const known = controls ? controlsOf(bytes, controls) : []
  if (!known) return undefined
  const page = known.find(({ type }) => type.equals(PAGED_RESULTS))
  return {
    id,
    operation: operation.tag,
    cookie: page && cookieOf(page.value),
    diagnostic: diagnosticOf(bytes, operation),
  }
}

function diagnosticOf(bytes: Buffer, operation: Element): Buffer | undefined {
  if (!RESULTS.includes(operation.tag)) return undefined
  const [, , diagnostic] = elementsOf(bytes, operation) ?? []
  return diagnostic && bytes.subarray(diagnostic.start, diagnostic.end)
}

/** Returns the ID of a complete message, such as Keyward's requests. */
export function messageId(bytes: Buffer): number | undefined {
  const [message] = elementsOf(bytes, { start: 0, end: bytes.length }) ?? []
  const [number] = (message && elementsOf(bytes, message)) ?? []
  return number && idOf(bytes, number)
}

function idOf(bytes: Buffer, { tag, start, end }: Element): number | undefined {
  if (tag !== INTEGER || end === start || end - start > 4) return undefined
  return bytes.readIntBE(start, end - start)
}

function isOperation(bytes: Buffer, operation: Element): boolean {
  const parts = elementsOf(bytes, operation)
  if (!parts) return false
  if (operation.tag === SEARCH_ENTRY) return isEntry(bytes, parts)
  if (operation.tag === SEARCH_REFERENCE) return areStrings(parts)
  if (!RESULTS.includes(operation.tag)) return false
  const [code, matched, diagnostic, ...rest] = parts
  return (
    code?.tag === ENUMERATED &&
    code.end > code.start &&
    matched?.tag === OCTET_STRING &&
    diagnostic?.tag === OCTET_STRING &&
    rest.every((part) => AFTER_RESULT.includes(part.tag) && (part.tag !== REFERRAL || isListOfStrings(bytes, part)))
  )
}

const areStrings = (parts: Element[]): boolean => parts.every(({ tag }) => tag === OCTET_STRING)

function isListOfStrings(bytes: Buffer, element: Element): boolean {
  const parts = elementsOf(bytes, element)
  return parts !== undefined && areStrings(parts)
}

function isEntry(bytes: Buffer, [name, attributes, ...rest]: Element[]): boolean {
  if (name?.tag !== OCTET_STRING || attributes?.tag !== SEQUENCE || rest.length > 0) return false
  return (elementsOf(bytes, attributes) ?? [name]).every((attribute) => {
    const [type, values, ...more] = attribute.tag === SEQUENCE ? (elementsOf(bytes, attribute) ?? []) : []
    return type?.tag === OCTET_STRING && values?.tag === SET && more.length === 0 && isListOfStrings(bytes, values)
  })
}

function controlsOf(bytes: Buffer, controls: Element): { type: Buffer; value: Buffer }[] | undefined {
  const known: { type: Buffer; value: Buffer }[] = []
  for (const control of elementsOf(bytes, controls) ?? [controls]) {
    const [type, ...rest] = control.tag === SEQUENCE ? (elementsOf(bytes, control) ?? []) : []
    const values = rest.filter(({ tag }) => tag === OCTET_STRING)
    const flags = rest.filter(({ tag }) => tag === BOOLEAN)
    if (type?.tag !== OCTET_STRING || values.length > 1 || flags.length > 1) return undefined
    if (values.length + flags.length < rest.length) return undefined
    const [value] = values
    known.push({
      type: bytes.subarray(type.start, type.end),
      value: value ? bytes.subarray(value.start, value.end) : Buffer.alloc(0),
    })
  }
  return known
}

function cookieOf(value: Buffer): Buffer | undefined {
  const [list] = elementsOf(value, { start: 0, end: value.length }) ?? []
  const [, cookie] = list?.tag === SEQUENCE ? (elementsOf(value, list) ?? []) : []
  // Copied, so that it does not keep the whole message in memory.
  return cookie?.tag === OCTET_STRING ? Buffer.from(value.subarray(cookie.start, cookie.end)) : undefined
}
