import { X509Certificate } from 'node:crypto'
import { type Clock, MINUTE } from '../clock.js'
import { type Readings, type SharedGauges, sharedGauges } from './shared-gauges.js'

/** The keys or certificates of one kind in all teams. */
export interface ExpiryKind {
  /** The value of the label. */
  kind: string
  read(): Promise<ExpirySummary>
}

export interface ExpirySummary {
  /** The earliest time in the future at which one expires; null if none does. */
  earliest: Date | null
  /** The number that has expired and is still in use. */
  expired: number
}

/** Returns the gauges about all kinds. One value per kind, because a label with a team would be unbounded. */
export const expiryGauges = (kinds: readonly ExpiryKind[]): SharedGauges =>
  sharedGauges({
    gauges: {
      keyward_earliest_expiry_timestamp_seconds: {
        help: 'The next time at which a key or certificate of the kind expires',
        label: 'kind',
      },
      keyward_expired: { help: 'Keys and certificates in use that have expired', label: 'kind' },
    },
    everyMs: 10 * MINUTE,
    async read() {
      const earliest: Record<string, number> = {}
      const expired: Record<string, number> = {}
      for (const { kind, read } of kinds) {
        const summary = await read()
        if (summary.earliest) earliest[kind] = summary.earliest.getTime() / 1_000
        expired[kind] = summary.expired
      }
      return {
        keyward_earliest_expiry_timestamp_seconds: earliest,
        keyward_expired: expired,
      } satisfies Readings
    },
  })

/** Certificates of one owner: an expired one does not matter beside its successor. PEM, or DER in base64. */
export interface OwnedCertificates {
  id: string
  certificates: string[]
}

const PAGE = 100
/** Limits the cost for an instance with very many teams. */
const MAX_PAGES = 100

/** Summarizes certificates that the database stores as text. @param readPage returns at most `limit` owners after an ID, by ID */
export async function summarizeCertificates(
  clock: Clock,
  readPage: (after: string, limit: number) => Promise<OwnedCertificates[]>,
): Promise<ExpirySummary> {
  const now = clock.ms()
  let earliest = Number.POSITIVE_INFINITY
  let expired = 0
  let after = '00000000-0000-0000-0000-000000000000'
  for (let page = 0; page < MAX_PAGES; page++) {
    const owners = await readPage(after, PAGE)
    for (const { certificates } of owners) {
      const end = Math.max(...certificates.map(expiryOf))
      if (end > now) earliest = Math.min(earliest, end)
      else if (end > 0) expired++
    }
    after = owners.at(-1)?.id ?? after
    if (owners.length < PAGE) break
  }
  return { earliest: Number.isFinite(earliest) ? new Date(earliest) : null, expired }
}

/** Returns when a certificate expires, in milliseconds; 0 for a string that is not a certificate. */
function expiryOf(text: string): number {
  try {
    return Date.parse(new X509Certificate(text.startsWith('-') ? text : Buffer.from(text, 'base64')).validTo)
  } catch {
    return 0
  }
}
