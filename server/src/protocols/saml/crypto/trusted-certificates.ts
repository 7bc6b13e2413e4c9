import { LRUCache } from 'lru-cache'
import { type Certificate, readCertificate } from './certificates.js'

/** Entries of some kilobytes. */
const MAX_CERTIFICATES = 500

/** Parsed certificates by their PEM, false for unreadable ones. An entry never becomes outdated, because it depends only on its key. */
const parsed = new LRUCache<string, Certificate | false>({ max: MAX_CERTIFICATES })

/** Parses the certificates and skips unreadable ones. Cached, because parsing takes three times as long as a verification. */
export const trustedCertificates = (texts: readonly string[]): Certificate[] =>
  texts.map(read).filter((certificate) => certificate !== false)

function read(text: string): Certificate | false {
  const known = parsed.get(text)
  if (known !== undefined) return known
  const certificate = readCertificate(text)
  const usable = 'violation' in certificate ? false : certificate
  parsed.set(text, usable)
  return usable
}
