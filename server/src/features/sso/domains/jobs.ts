import { HOUR } from '../../../platform/clock.js'
import { uuidv7 } from '../../../platform/crypto/random.js'
import { DnsUnavailable } from '../../../platform/dns.js'
import type { TeamId } from '../../../platform/ids.js'
import type { JobKind } from '../../../platform/jobs/jobs.js'
import { domainRepository, scheduleDueDomains } from '../../teams/index.js'
import type { SsoDeps } from '../model/deps.js'
import { recordOf } from './domains.js'

const LOOK_UP = 'sso.look_up_domain'
const PAGE = 200

type DomainJobDeps = Pick<SsoDeps, 'db' | 'clock' | 'audit' | 'txtRecords' | 'accounts'>

/** Verified domains are checked about once a day: one sweep of all nodes finds which are due, and a job of its own checks each. */
export const domainJobs = (deps: DomainJobDeps): JobKind[] => [
  { kind: 'sso.domains', every: HOUR, run: () => enqueueDue(deps) },
  {
    kind: LOOK_UP,
    attempts: 3,
    aside: true,
    // A DNS server that does not respond blocks one of its team's slots for seconds.
    concurrency: 10,
    perTeam: 1,
    run: ({ team, domain, requestId }) => lookUpAgain(deps, team as TeamId, String(domain), String(requestId)),
  },
]

async function enqueueDue({ db, clock, accounts: { jobs } }: DomainJobDeps): Promise<void> {
  for (;;) {
    const count = await db.transaction(async (tx) => {
      const due = await scheduleDueDomains(tx, clock, PAGE)
      for (const { team, domain, isFirst } of due)
        if (!isFirst) await jobs.enqueue(tx, LOOK_UP, { team, domain, requestId: uuidv7(clock) }, team)
      return due.length
    })
    if (count < PAGE) return
  }
}

/** Failed daily checks in a row after which a domain loses its verification: a single one may fall into a change of the zone. */
const LOST_AFTER = 7

/**
 * Checks whether the record of a verified domain is still published. Changes nothing if no server responds; the job is scheduled again.
 * @param requestId recorded with the audit entry of a loss
 */
async function lookUpAgain(
  { db, clock, audit, txtRecords }: DomainJobDeps,
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
