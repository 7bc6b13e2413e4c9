import type { Database } from '../../../platform/db/database.js'
import type { TeamId } from '../../../platform/ids.js'
import { INSTANCE_CHAIN } from './chain.js'
import { chainsInUse } from './repository.js'

/**
 * Returns the teams with seals, checkpoints or pending entries, also a team whose row is missing. Omits deleted teams, whose removal is
 * recorded.
 */
export async function listTeamChains(db: Database): Promise<TeamId[]> {
  const chains = await db.run(chainsInUse, [])
  return chains.flatMap(({ chain }) => (chain === INSTANCE_CHAIN ? [] : [chain as TeamId]))
}
