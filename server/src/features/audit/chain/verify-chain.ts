import type { TeamId } from '../../../platform/ids.js'
import { rejection } from '../errors.js'
import { INSTANCE_CHAIN } from './chain.js'
import type { AuditDeps } from './deps.js'
import { checkpointByNumber, headOfSeal } from './repository.js'
import { type CheckpointClaims, verifyCheckpoint } from './signed-checkpoint.js'
import { type ChainReport, type ChainWalk, walkChain } from './walk-chain.js'

/**
 * Verifies a chain.
 * @param teamId null for the instance's chain
 * @param stored an externally stored signed checkpoint, which the chain must still match
 * @throws checkpoint_not_genuine if this service did not sign `stored` for this chain
 */
export type VerifyChain = (teamId: TeamId | null, stored?: string) => Promise<ChainReport>

/** Concurrent requests for the same chain share one walk per node. */
export function createVerifyChain(deps: AuditDeps): VerifyChain {
  const walks = new Map<string, Promise<ChainWalk>>()

  function walk(teamId: TeamId | null, chain: string): Promise<ChainWalk> {
    const running = walks.get(chain)
    if (running) return running
    const started = walkChain(deps, teamId).finally(() => walks.delete(chain))
    walks.set(chain, started)
    return started
  }

  return async (teamId, stored) => {
    const chain = teamId ?? INSTANCE_CHAIN
    const claims = stored === undefined ? undefined : await checkpointFor(deps, chain, stored)
    let found = await walk(teamId, chain)
    // A running walk may have passed the end of the chain before the checkpoint was signed.
    if (!found.brokenSeal && !reaches(found, claims)) found = await walk(teamId, chain)
    const firstBroken = claims ? await contradiction(deps, chain, claims, found) : found.report.firstBroken
    return { ...found.report, valid: firstBroken === null, firstBroken }
  }
}

const reaches = ({ reached }: ChainWalk, claims: CheckpointClaims | undefined): boolean =>
  !claims || !('seal' in claims) || reached >= claims.seal

/** Returns the first violation: that of the walk, or other entries than those of the checkpoint up to its seal, or a shorter chain. */
async function contradiction(
  { db }: AuditDeps,
  chain: string,
  claims: CheckpointClaims,
  found: ChainWalk,
): Promise<ChainReport['firstBroken']> {
  const { firstBroken } = found.report
  if ('seal' in claims) {
    if (!reaches(found, claims)) return found.brokenSeal ?? { id: null, reason: 'removed' }
    // The walk verified the seals up to there, so their contents are valid.
    const [then] = claims.seal > 0 ? await db.run(headOfSeal, [chain, claims.seal]) : []
    const same = claims.seal === 0 || (then?.head === claims.head && then.entries === claims.entries)
    return same ? firstBroken : { id: then?.last ?? null, reason: 'changed' }
  }
  if (found.brokenChain) return found.brokenChain
  const [checkpoint] = await db.run(checkpointByNumber, [claims.checkpoint])
  if (!checkpoint) return { id: null, reason: 'removed' }
  return checkpoint.hash.toString('hex') === claims.hash ? firstBroken : { id: null, reason: 'checkpoint_broken' }
}

/** Reads a signed checkpoint of the chain. One of all chains (from the log) is verified with the chain of the instance. */
async function checkpointFor({ keys }: AuditDeps, chain: string, compact: string): Promise<CheckpointClaims> {
  const claims = await verifyCheckpoint(keys, compact)
  const isOfChain = claims && ('chain' in claims ? claims.chain === chain : chain === INSTANCE_CHAIN)
  if (!isOfChain) throw rejection('checkpoint_not_genuine')
  return claims
}
