import { isUniqueViolation } from '../../../platform/db/database-errors.js'
import { DnsUnavailable } from '../../../platform/dns.js'
import { rejection as platformError, retryLater } from '../../../platform/errors.js'
import { type Actor, withoutLocation } from '../../../platform/http/actor.js'
import { domainRepository, provenElsewhere, type TeamDomain } from '../../teams/index.js'
import { rejection } from '../errors.js'
import type { SsoDeps } from '../model/deps.js'
import { readDomain } from './domain-name.js'

export type { TeamDomain }

type DomainDeps = Pick<SsoDeps, 'db' | 'clock' | 'audit' | 'txtRecords'>

/** Returns the TXT record that verifies the domain. */
export const recordOf = ({ domain, token }: Pick<TeamDomain, 'domain' | 'token'>) => ({
  name: `_keyward.${domain}`,
  value: `keyward-domain-verification=${token}`,
})

export const listDomains = ({ db }: DomainDeps, actor: Actor): Promise<TeamDomain[]> =>
  db.transaction((tx) => domainRepository(tx, actor.teamId).list())

/** Adds a domain to the team. A domain that was added before keeps its record. @throws invalid_request, limit_reached */
export async function addDomain({ db, clock, audit }: DomainDeps, actor: Actor, text: string): Promise<TeamDomain> {
  const domain = readDomain(text)
  if (!domain)
    throw platformError('invalid_request', {
      detail: 'This is not an email domain',
      errors: [{ path: '/domain', message: 'must be an email domain, such as example.com' }],
    })
  return db.transaction(async (tx) => {
    const { row, isNew } = await domainRepository(tx, actor.teamId).add(clock, domain)
    if (isNew) await audit.record(tx, actor, 'domain.added', { resource: `domain:${domain}` })
    return row
  })
}

/**
 * Checks the DNS record. A domain whose record is published becomes the team's, even if another team had verified it before; a domain
 * whose record is gone is no longer verified.
 * @throws domain_not_found, domain_not_proven, unavailable
 */
export async function verifyDomain(deps: DomainDeps, actor: Actor, text: string): Promise<TeamDomain> {
  const { db, clock, audit, txtRecords } = deps
  const known = await readTeamDomain(deps, actor, text)
  const { domain } = known
  const { name, value } = recordOf(known)
  const records = await txtRecords.of(name).catch((error: unknown) => {
    throw error instanceof DnsUnavailable ? retryLater('unavailable', 30, error) : error
  })
  const proven = records.includes(value)
  const row = await db
    .transaction(async (tx) => {
      const repository = domainRepository(tx, actor.teamId)
      const before = await repository.lock(domain)
      const other = proven ? await provenElsewhere(tx, actor.teamId, domain) : undefined
      if (other) {
        // The team that verified a domain last has it.
        await domainRepository(tx, other.organizationId).note(clock, domain, false)
        // The entry does not reveal which team has the domain now.
        const origin = withoutLocation(actor.origin)
        const subject = { userId: null, teamId: other.organizationId, origin }
        await audit.record(tx, subject, 'domain.lost', { resource: `domain:${domain}` })
      }
      const noted = await repository.note(clock, domain, proven)
      if (proven !== (before?.verifiedAt != null))
        await audit.record(tx, actor, proven ? 'domain.proven' : 'domain.lost', { resource: `domain:${domain}` })
      return noted
    })
    .catch((error: unknown) => {
      throw isUniqueViolation(error, 'team_domains_proven') ? retryLater('unavailable', 1) : error
    })
  if (!row) throw rejection('domain_not_found')
  if (!proven)
    throw rejection('domain_not_proven', {
      detail: `${name} has ${records.length} TXT records, none of which is ${value}`,
    })
  return row
}

/** @throws domain_not_found */
export async function removeDomain({ db, audit }: DomainDeps, actor: Actor, text: string): Promise<void> {
  const domain = readDomain(text)
  await db.transaction(async (tx) => {
    const removed = domain && (await domainRepository(tx, actor.teamId).remove(domain))
    if (!removed) throw rejection('domain_not_found')
    await audit.record(tx, actor, 'domain.removed', { resource: `domain:${removed.domain}` })
  })
}

async function readTeamDomain({ db }: DomainDeps, actor: Actor, text: string): Promise<TeamDomain> {
  const domain = readDomain(text)
  const row = domain && (await db.transaction((tx) => domainRepository(tx, actor.teamId).find(domain)))
  if (!row) throw rejection('domain_not_found')
  return row
}
