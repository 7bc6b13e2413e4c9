import type { TeamId } from '../../../../platform/ids.js'
import { chainStart, INSTANCE_CHAIN } from '../chain.js'
import type { Broken } from '../verify-seal.js'
import { walkChain } from '../walk-chain.js'
import { headerLine, lastLine, linesOfSeal } from './export-lines.js'
import { fileBaseOf } from './file-base.js'
import { EXPORT_FORMAT } from './format.js'
import { readValueKeys } from './read-value-keys.js'
import { type ExportDeps, recordExport, sealNow } from './seal-now.js'

export interface ExportedChain {
  chain: string
  seals: number
  entries: number
  /** Hexadecimal. */
  head: string
  /** Entries that were recorded during the export, or that another node was sealing: the file does not contain them. */
  pending: number
  /** A violation that prevents an export: the file must be discarded. */
  brokenChain: Broken | null
  /** The first violation, also outside of the exported seals, such as an entry that was inserted without a seal. */
  firstBroken: Broken | null
}

/**
 * Exports a chain as NDJSON with a signed checkpoint (docs/concepts/audit-log.md), so that it can be verified without the database. Records
 * `audit.exported`, then seals the pending entries. Verifies the chain while it reads it, one seal at a time: a signature over a changed
 * chain would make the change genuine.
 * @param team null for the chain of the instance
 * @param write receives complete lines, in order
 * @param withPersonalData whether the file has the keys of encrypted values, which make personal data readable to every reader of the file
 */
export async function exportChain(
  deps: ExportDeps,
  team: { id: TeamId; slug: string; name: string } | null,
  write: (lines: string) => Promise<void>,
  withPersonalData = true,
): Promise<ExportedChain> {
  const teamId = team?.id ?? null
  const chain = teamId ?? INSTANCE_CHAIN
  await recordExport(deps, teamId, { format: EXPORT_FORMAT })
  await sealNow(deps, chain)
  const base = await fileBaseOf(deps.db, chain)
  await write(headerLine(deps, chain, team, base))
  let count = base?.entries ?? 0
  const { report, reached, brokenChain } = await walkChain(deps, teamId, async (seal, verified) => {
    count += verified.entries.length
    const keysOf = withPersonalData ? await readValueKeys(deps.db, deps.envelope, verified.entries) : undefined
    await write(linesOfSeal(seal, verified, count, keysOf))
  })
  const head = { chain, seal: reached, entries: count, head: report.head ?? chainStart(chain).toString('hex') }
  if (!brokenChain) await write(lastLine(deps, head, base))
  const { pending, firstBroken } = report
  return { chain, seals: reached, entries: count, head: head.head, pending, brokenChain, firstBroken }
}
