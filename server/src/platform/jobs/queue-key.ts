import { hashParts } from '../crypto/token-hash.js'
import type { TeamId } from '../ids.js'

/** Returns the key of a job queue (`perTeam` of a kind) for something other than a team, such as the source of requests. */
export function queueKeyOf(...parts: string[]): TeamId {
  const hex = hashParts('queue', ...parts).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  ) as TeamId
}
