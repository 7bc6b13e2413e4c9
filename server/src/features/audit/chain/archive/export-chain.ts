import type { TeamId } from '../../../../platform/ids.js'
import { chainStart, INSTANCE_CHAIN } from '../chain.js'
import { publicKey, signCheckpoint } from '../signed-checkpoint.js'
import type { Broken } from '../verify-seal.js'
import { walkChain } from '../walk-chain.js'
import { EXPORT_FORMAT, type ExportHeader, FORMAT_VERSION, type SealLine, toFileEntry } from './format.js'
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

const lineOf = (value: object): string => `${JSON.stringify(value)}\n`

/**
 * Exports a chain as NDJSON with a signed checkpoint (docs/concepts/audit-log.md), so that it can be verified without the database. Records
 * `audit.exported`, then seals the pending entries. Verifies the chain while it reads it, one seal at a time: a signature over a changed
 * chain would make the change genuine.
 * @param team null for the chain of the instance
 * @param write receives complete lines, in order
 * @param withPersonalData whether the file has the keys of encrypted values, which make personal data readable to whoever has the file
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
  const header: ExportHeader = {
    format: EXPORT_FORMAT,
    version: FORMAT_VERSION,
    chain,
    team: team && { slug: team.slug, name: team.name },
    exportedAt: deps.clock.now().toISOString(),
  }
  await write(lineOf(header))
  let count = 0
  const { report, reached, brokenChain } = await walkChain(deps, teamId, async (seal, { entries, head }) => {
    count += entries.length
    const keysOf = withPersonalData ? await readValueKeys(deps.db, deps.envelope, entries) : undefined
    const lines = entries.map((entry, position) =>
      lineOf({
        entry: toFileEntry(entry),
        hash: seal.hashes[position]?.toString('hex'),
        valueKeys: keysOf?.(entry),
      }),
    )
    const line: SealLine = {
      number: seal.number,
      entries: count,
      head: head.toString('hex'),
      createdAt: seal.created_at.toISOString(),
    }
    await write(lines.join('') + lineOf({ seal: line }))
  })
  const head = { chain, seal: reached, entries: count, head: report.head ?? chainStart(chain).toString('hex') }
  if (!brokenChain) await write(lineOf({ checkpoint: signCheckpoint(deps, head), keys: [publicKey(deps.keys)] }))
  const { pending, firstBroken } = report
  return { chain, seals: reached, entries: count, head: head.head, pending, brokenChain, firstBroken }
}
