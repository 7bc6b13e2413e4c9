import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { TeamId } from '../../../platform/ids.js'
import type { VerifiedDomains } from '../../members/index.js'
import { domainOf } from './domain-name.js'

const domainOfTeam = namedQuery<{ domain: string }, [TeamId, string]>(
  'sso.verified_domain_of_team',
  `SELECT domain FROM team_domains WHERE organization_id = $1 AND verified_at IS NOT NULL ORDER BY domain = $2 DESC, domain LIMIT 1`,
)
const teamOfDomain = namedQuery<{ id: TeamId }, [string]>(
  'sso.team_of_verified_domain',
  'SELECT organization_id AS id FROM team_domains WHERE domain = $1 AND verified_at IS NOT NULL',
)

export const verifiedDomains: VerifiedDomains = {
  ofTeam: async (tx: Transaction, teamId, email) => (await tx.run(domainOfTeam, [teamId, domainOf(email)]))[0]?.domain,
  teamOf: async (tx: Transaction, domain) => (await tx.run(teamOfDomain, [domain]))[0]?.id,
}
