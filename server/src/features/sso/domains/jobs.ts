import { and, asc, eq, isNotNull, isNull, lte, or } from 'drizzle-orm'
import { DAY, fromNow, HOUR } from '../../../platform/clock.js'
import { uuidv7 } from '../../../platform/crypto/random.js'
import type { TeamId } from '../../../platform/ids.js'
import type { JobKind } from '../../../platform/jobs/jobs.js'
import { teamDomains } from '../../teams/index.js'
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
    concurrency: AT_ONCE,
    perTeam: PER_TEAM,
    run: ({ team, domain, requestId }) => lookUpAgain(deps, team as TeamId, String(domain), String(requestId)),
  },
]

async function enqueueDue({ db, clock, accounts: { jobs } }: DomainJobDeps): Promise<void> {
  const { organizationId, domain, dueAt, verifiedAt } = teamDomains
  for (;;) {
    const count = await db.transaction(async (tx) => {
      const due = await tx
        .select({ team: organizationId, domain, dueAt })
        .from(teamDomains)
        .where(and(isNotNull(verifiedAt), or(isNull(dueAt), lte(dueAt, clock.now()))))
        .orderBy(asc(dueAt))
        .limit(AT_A_TIME)
        .for('update', { skipLocked: true })
      for (const one of due) {
        // The first check of a domain is scheduled at a random time within a day. If a job fails for good, its domain is due again.
        const next = fromNow(clock, one.dueAt === null ? DAY * Math.random() : HOUR)
        await tx
          .update(teamDomains)
          .set({ dueAt: next })
          .where(and(eq(organizationId, one.team), eq(domain, one.domain)))
        if (one.dueAt !== null)
          await jobs.enqueue(tx, LOOK_UP, { team: one.team, domain: one.domain, requestId: uuidv7(clock) }, one.team)
      }
      return due.length
    })
    if (count < AT_A_TIME) return
  }
}
