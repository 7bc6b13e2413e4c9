import { factsOf } from './certificate.js'

/** Of a provider: the present one, and the one before or after it. */
const MOST = 2

/**
 * The certificates of a provider that publishes others than we have. Those that it publishes are taken. One of ours that it publishes no
 * longer stays beside them for one more reading if all have changed at once, because such a provider may still sign by it; and it stays
 * as long as it is the only one whose time is not over.
 * @param published the newest first; at least one
 */
export function rollOver(stored: readonly string[], published: readonly string[], now: number): string[] {
  const isKnown = (pem: string, among: readonly string[]) => among.some((other) => printOf(other) === printOf(pem))
  const isValid = (pem: string) => (factsOf(pem)?.validTo.getTime() ?? 0) > now
  const gone = stored.filter((pem) => !isKnown(pem, published))
  const stays = gone.find(isValid)
  const changedAtOnce = gone.length === stored.length
  if (stays === undefined || !(changedAtOnce || !published.some(isValid))) return published.slice(0, MOST)
  return [...published.slice(0, MOST - 1), stays]
}

/** Whether two lists hold the same certificates, in whatever order and spelling. */
export function sameCertificates(one: readonly string[], other: readonly string[]): boolean {
  const prints = (list: readonly string[]) => [...new Set(list.map(printOf))].sort().join()
  return prints(one) === prints(other)
}

const printOf = (pem: string): string => factsOf(pem)?.fingerprint ?? pem
