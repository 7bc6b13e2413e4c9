import { type Certificate, readCertificate } from './certificates.js'

/** Each some kilobytes. */
const MOST = 500

/** What was read of a text; a text says the same each time, so that nothing in here can be outdated. */
const known = new Map<string, Certificate | undefined>()

/** Those of the texts that are certificates: reading one costs three times as much as verifying by it. */
export const trustedCertificates = (texts: readonly string[]): Certificate[] =>
  texts.map(read).filter((certificate) => certificate !== undefined)

function read(text: string): Certificate | undefined {
  if (known.has(text)) return known.get(text)
  const certificate = readCertificate(text)
  const [oldest] = known.keys()
  if (known.size >= MOST && oldest !== undefined) known.delete(oldest)
  const usable = 'fault' in certificate ? undefined : certificate
  known.set(text, usable)
  return usable
}
