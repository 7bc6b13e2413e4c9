import { DnsUnavailable } from '../../../platform/dns.js'
import type { TeamId } from '../../../platform/ids.js'
import { domainRepository } from '../../teams/index.js'
import type { SsoDeps } from '../model/deps.js'
import { recordOf } from './domains.js'

/** Failed daily checks in a row after which a domain loses its verification: a single one may fall into a change of the zone. */
const LOST_AFTER = 7

/**
 * Checks whether the record of a verified domain is still published. Changes nothing if no server responds; the job is scheduled again.
 * @param requestId recorded with the audit entry of a loss
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
    // The domain was checked meanwhile, or removed and added again.
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
