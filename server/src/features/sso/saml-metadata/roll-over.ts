import { certificateFields } from '../model/certificate.js'

/** The current certificate of a provider, and the previous or next one. */
const MOST = 2

/**
 * Returns the certificates after a provider has published others than the stored ones. A stored certificate that is no longer published
 * is kept in two cases: until the next reading, if all have changed at once, since the provider may still sign with it; and while it is
 * the only unexpired one.
 * @param published newest first; at least one
 */
export function rollOver(stored: readonly string[], published: readonly string[], now: number): string[] {
  const isKnown = (pem: string, among: readonly string[]) =>
    among.some((other) => fingerprintOf(other) === fingerprintOf(pem))
  const isValid = (pem: string) => (certificateFields(pem)?.validTo.getTime() ?? 0) > now
  const dropped = stored.filter((pem) => !isKnown(pem, published))
  const staying = dropped.find(isValid)
  const changedAtOnce = dropped.length === stored.length
  if (staying === undefined || !(changedAtOnce || !published.some(isValid))) return published.slice(0, MOST)
  return [...published.slice(0, MOST - 1), staying]
}

/** Whether two lists contain the same certificates, in any order and encoding. */
export function sameCertificates(one: readonly string[], other: readonly string[]): boolean {
  const prints = (list: readonly string[]) => [...new Set(list.map(fingerprintOf))].sort().join()
  return prints(one) === prints(other)
}

const fingerprintOf = (pem: string): string => certificateFields(pem)?.fingerprint ?? pem
