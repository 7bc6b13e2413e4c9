import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { TeamId } from '../../../platform/ids.js'
import type { VerifiedDomains } from '../../members/index.js'
import { domainOf } from './domain-name.js'

const selectDomain = namedQuery<{ domain: string }, [TeamId, string]>(
  'sso.verified_domain_of_team',
  `SELECT domain FROM team_domains WHERE organization_id = $1 AND verified_at IS NOT NULL ORDER BY domain = $2 DESC, domain LIMIT 1`,
)
const selectTeam = namedQuery<{ id: TeamId }, [string]>(
  'sso.team_of_verified_domain',
  'SELECT organization_id AS id FROM team_domains WHERE domain = $1 AND verified_at IS NOT NULL',
)

export const verifiedDomains: VerifiedDomains = {
  async domainOfTeam(tx: Transaction, teamId, email) {
    const [row] = await tx.run(selectDomain, [teamId, domainOf(email)])
    return row?.domain
  },
  async teamOfDomain(tx: Transaction, domain) {
    const [row] = await tx.run(selectTeam, [domain])
    return row?.id
  },
}
