import type { Runner } from '../../../../platform/db/database.js'
import { baseOfChain } from '../repository.js'
import type { FileBase } from './format.js'

/** Returns where the chain begins after retention, for an export; undefined if nothing was removed. */
export async function fileBaseOf(runner: Runner, chain: string): Promise<FileBase | undefined> {
  const [base] = await runner.run(baseOfChain, [chain])
  return base && { seal: base.seal, entries: base.entries, head: base.head.toString('hex') }
}
