import { and, asc, eq, isNotNull, isNull, lte, ne, or, sql } from 'drizzle-orm'
import { type Clock, DAY, fromNow, HOUR } from '../../platform/clock.js'
import { randomToken } from '../../platform/crypto/random.js'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId } from '../../platform/ids.js'
import { rejection } from './errors.js'
import { lockOrganization } from './repository.js'
import { teamDomains } from './tables.js'

export type TeamDomain = typeof teamDomains.$inferSelect

const MAX_DOMAINS = 100

/** After about a day: up to a tenth earlier, so that not all domains are due in the same minute. */
const nextLookUp = (clock: Clock): Date => fromNow(clock, DAY * (1 - Math.random() / 10))

/** The email domains that one team has added. */
export const domainRepository = (tx: Transaction, teamId: TeamId) => {
  const one = (domain: string) => and(eq(teamDomains.organizationId, teamId), eq(teamDomains.domain, domain))
  return {
    list: (): Promise<TeamDomain[]> =>
      tx.select().from(teamDomains).where(eq(teamDomains.organizationId, teamId)).orderBy(asc(teamDomains.domain)),

    async find(domain: string): Promise<TeamDomain | undefined> {
      return (await tx.select().from(teamDomains).where(one(domain)))[0]
    },

    /** Like `find`, and locks the row until the transaction ends. */
    async lock(domain: string): Promise<TeamDomain | undefined> {
      return (await tx.select().from(teamDomains).where(one(domain)).for('no key update'))[0]
    },

    /** Inserts the domain, or returns the existing row. @throws limit_reached */
    async add(clock: Clock, domain: string): Promise<{ row: TeamDomain; isNew: boolean }> {
      await lockOrganization(tx, teamId)
      const rows = await this.list()
      const known = rows.find((row) => row.domain === domain)
      if (known) return { row: known, isNew: false }
      if (rows.length >= MAX_DOMAINS)
        throw rejection('limit_reached', {
          detail: `The team has ${rows.length} domains; the limit is ${MAX_DOMAINS}`,
        })
      const [row] = await tx
        .insert(teamDomains)
        .values({ organizationId: teamId, domain, token: randomToken(), createdAt: clock.now() })
        .returning()
      return { row: row as TeamDomain, isNew: true }
    },

    /** Stores the result of a check. @throws a violation of `team_domains_proven` while another team has verified the domain */
    async note(clock: Clock, domain: string, proven: boolean): Promise<TeamDomain | undefined> {
      const now = clock.now()
      const [row] = await tx
        .update(teamDomains)
        .set({
          checkedAt: now,
          verifiedAt: proven ? sql`coalesce(${teamDomains.verifiedAt}, ${now})` : null,
          failures: 0,
          dueAt: proven ? nextLookUp(clock) : null,
        })
        .where(one(domain))
        .returning()
      return row
    },

    /** Counts a check that found no record of a verified domain, and schedules the next one in a day. */
    async noteMissing(clock: Clock, domain: string): Promise<void> {
      await tx
        .update(teamDomains)
        .set({ checkedAt: clock.now(), failures: sql`${teamDomains.failures} + 1`, dueAt: fromNow(clock, DAY) })
        .where(one(domain))
    },

    async remove(domain: string): Promise<TeamDomain | undefined> {
      return (await tx.delete(teamDomains).where(one(domain)).returning())[0]
    },
  }
}

/** Returns the other team's row if another team has verified the domain. Runs in the caller's transaction. */
export async function provenElsewhere(
  tx: Transaction,
  teamId: TeamId,
  domain: string,
): Promise<TeamDomain | undefined> {
  const of = and(
    eq(teamDomains.domain, domain),
    isNotNull(teamDomains.verifiedAt),
    ne(teamDomains.organizationId, teamId),
  )
  return (await tx.select().from(teamDomains).where(of).for('no key update'))[0]
}

/** Deletes the email domains of the team: a third party may control their DNS. Runs in the caller's transaction. */
export async function deleteDomains(tx: Transaction, teamId: TeamId): Promise<number> {
  return (await tx.delete(teamDomains).where(eq(teamDomains.organizationId, teamId)).returning()).length
}

/**
 * Schedules the next check of up to `limit` verified domains that are due, and returns them; the first check of a domain is only scheduled,
 * at a random time within a day. Skips rows that another node has locked. Runs in the caller's transaction.
 */
export async function scheduleDueDomains(
  tx: Transaction,
  clock: Clock,
  limit: number,
): Promise<{ team: TeamId; domain: string; isFirst: boolean }[]> {
  const { organizationId, domain, dueAt, verifiedAt } = teamDomains
  const due = await tx
    .select({ team: organizationId, domain, dueAt })
    .from(teamDomains)
    .where(and(isNotNull(verifiedAt), or(isNull(dueAt), lte(dueAt, clock.now()))))
    .orderBy(asc(dueAt))
    .limit(limit)
    .for('update', { skipLocked: true })
  for (const one of due) {
    // If the job of a check fails for good, its domain is due again.
    const next = fromNow(clock, one.dueAt === null ? DAY * Math.random() : HOUR)
    await tx
      .update(teamDomains)
      .set({ dueAt: next })
      .where(and(eq(organizationId, one.team), eq(domain, one.domain)))
  }
  return due.map(({ team, domain, dueAt }) => ({ team, domain, isFirst: dueAt === null }))
}
