import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { decodeUtf8 } from './read-xml.js'
import { LONGEST_XML } from './scan-xml.js'

/** The text of a message, or why it cannot be read. */
export type ReadMessage = { text: string } | { fault: string }

/** Nothing that is not too large afterwards is longer than this before. */
const LONGEST_BASE64 = LONGEST_XML * 2

/** Base64 (RFC 4648 4), strictly, but with white space anywhere: forms and XML break lines. */
export function readBase64(text: string): Buffer | undefined {
  if (text.length > LONGEST_BASE64) return undefined
  const plain = text.replaceAll(/[ \t\r\n]+/g, '')
  const bytes = Buffer.from(plain, 'base64')
  // Node passes over what it does not know; padding may be left out.
  const isStrict = bytes.toString('base64').replace(/=+$/, '') === plain.replace(/={1,2}$/, '')
  return plain !== '' && isStrict ? bytes : undefined
}

/** Raw DEFLATE (RFC 1951) of a text, in base64: Bindings 3.4.4.1. */
export const deflateMessage = (xml: string): string => deflateRawSync(Buffer.from(xml)).toString('base64')

/** What the redirect binding carries, percent-decoded. */
export function readDeflated(parameter: string): ReadMessage {
  const bytes = readBase64(parameter)
  return bytes ? textOfBytes(inflate(bytes)) : { fault: 'it is not base64' }
}

/** What the POST binding carries. Some deflate there too: what does not begin with a tag is inflated. */
export function readPosted(field: string): ReadMessage {
  const bytes = readBase64(field)
  if (!bytes) return { fault: 'it is not base64' }
  return textOfBytes(beginsWithTag(bytes) ? bytes : inflate(bytes))
}

/** A tag, after white space and a byte order mark; a UTF-16 text is handed on too, to be refused as what it is. */
function beginsWithTag(bytes: Buffer): boolean {
  const head = bytes.subarray(0, 64)
  return /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[ \t\r\n]*\0?</.test(head.toString('latin1'))
}

function inflate(bytes: Buffer): Buffer | undefined {
  try {
    return inflateRawSync(bytes, { maxOutputLength: LONGEST_XML })
  } catch {
    return undefined
  }
}

function textOfBytes(bytes: Buffer | undefined): ReadMessage {
  if (!bytes) return { fault: `it cannot be inflated, or becomes larger than ${LONGEST_XML / 1024} kB` }
  if (bytes.length > LONGEST_XML) return { fault: `it is larger than ${LONGEST_XML / 1024} kB` }
  const text = decodeUtf8(bytes)
  return text === undefined ? { fault: 'it is not UTF-8' } : { text }
}
