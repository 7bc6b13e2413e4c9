import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { decodeUtf8 } from '../xml/read-xml.js'
import { MAX_XML_LENGTH } from '../xml/scan-xml.js'

/** The XML of a message, or why it cannot be read. */
export type ReadMessage = { text: string } | { violation: string }

/** A longer input always exceeds the limit after decoding. */
const MAX_BASE64_LENGTH = MAX_XML_LENGTH * 2

/** Decodes base64 (RFC 4648 4) strictly, except for white space: forms and XML wrap lines. */
export function readBase64(text: string): Buffer | undefined {
  if (text.length > MAX_BASE64_LENGTH) return undefined
  const plain = text.replaceAll(/[ \t\r\n]+/g, '')
  const bytes = Buffer.from(plain, 'base64')
  // Node ignores unknown characters; padding is optional.
  const isStrict = bytes.toString('base64').replace(/=+$/, '') === plain.replace(/={1,2}$/, '')
  return plain !== '' && isStrict ? bytes : undefined
}

/** Returns the raw DEFLATE (RFC 1951) of a string in base64 (Bindings 3.4.4.1). */
export const deflateMessage = (xml: string): string => deflateRawSync(Buffer.from(xml)).toString('base64')

/** Reads a percent-decoded parameter of the redirect binding. */
export function readDeflated(parameter: string): ReadMessage {
  const bytes = readBase64(parameter)
  return bytes ? textOfBytes(inflate(bytes)) : { violation: 'it is not base64' }
}

/** Reads a field of the POST binding. Some products deflate there as well, so content that does not begin with a tag is inflated. */
export function readPosted(field: string): ReadMessage {
  const bytes = readBase64(field)
  if (!bytes) return { violation: 'it is not base64' }
  return textOfBytes(beginsWithTag(bytes) ? bytes : inflate(bytes))
}

/** Whether a tag follows after white space and a byte order mark; also in UTF-16, which is rejected later. */
function beginsWithTag(bytes: Buffer): boolean {
  const head = bytes.subarray(0, 64)
  return /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[ \t\r\n]*\0?</.test(head.toString('latin1'))
}

function inflate(bytes: Buffer): Buffer | undefined {
  try {
    return inflateRawSync(bytes, { maxOutputLength: MAX_XML_LENGTH })
  } catch {
    return undefined
  }
}

function textOfBytes(bytes: Buffer | undefined): ReadMessage {
  if (!bytes) return { violation: `it cannot be inflated, or exceeds ${MAX_XML_LENGTH / 1024} kB` }
  if (bytes.length > MAX_XML_LENGTH) return { violation: `it is larger than ${MAX_XML_LENGTH / 1024} kB` }
  const text = decodeUtf8(bytes)
  return text === undefined ? { violation: 'it is not UTF-8' } : { text }
}
