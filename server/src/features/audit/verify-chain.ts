import type { TeamId } from '../../platform/ids.js'
import { INSTANCE_CHAIN } from './chain.js'
import { readStatement, type Statement } from './checkpoint-statement.js'
import type { AuditDeps } from './deps.js'
import { rejection } from './errors.js'
import { checkpointByNumber, headOfSeal } from './repository.js'
import { type ChainReport, type ChainWalk, walkChain } from './walk-chain.js'

/**
 * Verifies a chain.
 * @param teamId null for the instance's chain
 * @param kept a statement that was kept outside: the chain must still reach what it says
 * @throws checkpoint_not_genuine when `kept` is not one that this service signed for this chain
 */
export type VerifyChain = (teamId: TeamId | null, stored?: string) => Promise<ChainReport>

/** Of one chain this node makes one walk at a time, however many ask: whoever asks meanwhile gets what that one finds. */
export function createVerifyChain(deps: AuditDeps): VerifyChain {
  const walks = new Map<string, Promise<ChainWalk>>()

  function walk(teamId: TeamId | null, chain: string): Promise<ChainWalk> {
    const underWay = walks.get(chain)
    if (underWay) return underWay
    const begun = walkChain(deps, teamId).finally(() => walks.delete(chain))
    walks.set(chain, begun)
    return begun
  }

  return async (teamId, stored) => {
    const chain = teamId ?? INSTANCE_CHAIN
    const stated = stored === undefined ? undefined : await statementFor(deps, chain, stored)
    let found = await walk(teamId, chain)
    // A walk that was under way may have been past the end of the chain before the statement was made.
    if (!found.brokenSeal && !reaches(found, stated)) found = await walk(teamId, chain)
    const firstBroken = stated ? await contradiction(deps, chain, stated, found) : found.report.firstBroken
    return { ...found.report, valid: firstBroken === null, firstBroken }
  }
}

const reaches = ({ reached }: ChainWalk, stated: Statement | undefined): boolean =>
  !stated || !('seal' in stated) || reached >= stated.seal

/** What is broken first: what the walk found, or that it came to the stated place by other entries, or not so far. */
async function contradiction(
  { db }: AuditDeps,
  chain: string,
  stated: Statement,
  found: ChainWalk,
): Promise<ChainReport['firstBroken']> {
  const { firstBroken } = found.report
  if ('seal' in stated) {
    if (!reaches(found, stated)) return found.brokenSeal ?? { id: null, reason: 'removed' }
    // The walk found the seals whole up to there: what they say holds of their entries.
    const [then] = stated.seal > 0 ? await db.run(headOfSeal, [chain, stated.seal]) : []
    const same = stated.seal === 0 || (then?.head === stated.head && then.entries === stated.entries)
    return same ? firstBroken : { id: then?.last ?? null, reason: 'changed' }
  }
  if (found.brokenChain) return found.brokenChain
  const [checkpoint] = await db.run(checkpointByNumber, [stated.checkpoint])
  if (!checkpoint) return { id: null, reason: 'removed' }
  return checkpoint.hash.toString('hex') === stated.hash ? firstBroken : { id: null, reason: 'checkpoint_broken' }
}

/** What is said of all chains together (a line of the log) is said of the instance's. */
async function statementFor({ keys }: AuditDeps, chain: string, text: string): Promise<Statement> {
  const stated = await readStatement(keys, text)
  const isOfChain = stated && ('chain' in stated ? stated.chain === chain : chain === INSTANCE_CHAIN)
  if (!isOfChain) throw rejection('checkpoint_not_genuine')
  return stated
}
