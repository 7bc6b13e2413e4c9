import { DnsUnavailable } from '../../platform/dns.js'
import type { TeamId } from '../../platform/ids.js'
import type { SsoDeps } from './deps.js'
import { domainRepository } from './domain-repository.js'
import { recordOf } from './domains.js'

/** A domain lapses after this many daily checks in a row without its record: one may fall into a change of the zone. */
const LOST_AFTER = 7

/**
 * Checks whether the record of a verified domain is still published. Changes nothing if no server answers; the next check comes soon.
 * @param requestId by which the entry of a loss is found in the log
 */
export async function lookUpAgain(
  { db, clock, audit, txtRecords }: Pick<SsoDeps, 'db' | 'clock' | 'audit' | 'txtRecords'>,
  teamId: TeamId,
  domain: string,
  requestId: string,
): Promise<void> {
  const known = await db.transaction((tx) => domainRepository(tx, teamId).find(domain))
  if (!known?.verifiedAt) return
  const { name, value } = recordOf(known)
  const records = await txtRecords.of(name).catch((error: unknown) => {
    if (error instanceof DnsUnavailable) return undefined
    throw error
  })
  if (!records) return
  await db.transaction(async (tx) => {
    const repository = domainRepository(tx, teamId)
    const before = await repository.lock(domain)
    // Somebody has looked it up meanwhile, or taken it away and said it anew.
    if (
      !before?.verifiedAt ||
      before.token !== known.token ||
      before.checkedAt?.getTime() !== known.checkedAt?.getTime()
    )
      return
    if (records.includes(value)) return void (await repository.note(clock, domain, true))
    if (before.failures + 1 < LOST_AFTER) return repository.noteMissing(clock, domain)
    await repository.note(clock, domain, false)
    const origin = { ip: null, userAgent: null, requestId }
    await audit.record(tx, { userId: null, teamId, origin }, 'domain.lost', { resource: `domain:${domain}` })
  })
}
