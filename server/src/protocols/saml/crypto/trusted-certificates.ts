import { type Certificate, readCertificate } from './certificates.js'

/** Entries of some kilobytes. */
const MOST = 500

/** Parsed certificates by their PEM. An entry never becomes outdated, because it depends only on its key. */
const known = new Map<string, Certificate | undefined>()

/** Parses the certificates and skips unreadable ones. Cached, because parsing takes three times as long as a verification. */
export const trustedCertificates = (texts: readonly string[]): Certificate[] =>
  texts.map(read).filter((certificate) => certificate !== undefined)

function read(text: string): Certificate | undefined {
  if (known.has(text)) return known.get(text)
  const certificate = readCertificate(text)
  const [oldest] = known.keys()
  if (known.size >= MOST && oldest !== undefined) known.delete(oldest)
  const usable = 'violation' in certificate ? undefined : certificate
  known.set(text, usable)
  return usable
}
