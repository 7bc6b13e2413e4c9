import { HOUR } from '../../../platform/clock.js'
import { uuidv7 } from '../../../platform/crypto/random.js'
import type { TeamId } from '../../../platform/ids.js'
import type { JobKind } from '../../../platform/jobs/jobs.js'
import { scheduleDueDomains } from '../../teams/index.js'
import type { SsoDeps } from '../model/deps.js'
import { lookUpAgain } from './look-up-again.js'

const LOOK_UP = 'sso.look_up_domain'
const AT_A_TIME = 200
/** A DNS server that does not respond blocks one of its team's slots for seconds. */
const AT_ONCE = 10
const PER_TEAM = 1

type DomainJobDeps = Pick<SsoDeps, 'db' | 'clock' | 'audit' | 'txtRecords' | 'accounts'>

/** Verified domains are checked about once a day: one sweep of all nodes finds which are due, and a job of its own checks each. */
export const domainJobs = (deps: DomainJobDeps): JobKind[] => [
  { kind: 'sso.domains', every: HOUR, run: () => enqueueDue(deps) },
  {
    kind: LOOK_UP,
    attempts: 3,
    aside: true,
    atOnce: AT_ONCE,
    perTeam: PER_TEAM,
    run: ({ team, domain, requestId }) => lookUpAgain(deps, team as TeamId, String(domain), String(requestId)),
  },
]

async function enqueueDue({ db, clock, accounts: { jobs } }: DomainJobDeps): Promise<void> {
  for (;;) {
    const count = await db.transaction(async (tx) => {
      const due = await scheduleDueDomains(tx, clock, AT_A_TIME)
      for (const { team, domain, isFirst } of due)
        if (!isFirst) await jobs.enqueue(tx, LOOK_UP, { team, domain, requestId: uuidv7(clock) }, team)
      return due.length
    })
    if (count < AT_A_TIME) return
  }
}
