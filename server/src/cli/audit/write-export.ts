import { type ExportedChain, exportChain, exportProof } from '../../features/audit/index.js'
import { CommandError, type Result } from '../command.js'
import { withDeps } from '../open.js'
import type { Terminal } from '../terminal.js'
import { counted } from '../text.js'
import { findTeam } from './find-team.js'
import { type NewFile, writeNewFile } from './new-file.js'

/** Exports the log of a team, by its ID or slug, or of the instance (null). @throws CommandError, organization_not_found */
export const exportLog = (
  terminal: Terminal,
  log: string | null,
  file: NewFile,
  withPersonalData: boolean,
): Promise<Result> =>
  writeNewFile(file, (append) =>
    withDeps(terminal, async (deps) => {
      const team = log === null ? null : await findTeam(deps, log)
      const { brokenChain, ...exported } = await exportChain(deps, team, append, withPersonalData)
      if (brokenChain) throw notValid('The log', brokenChain)
      const text = textOf(exported, team ? `the team ${team.slug}` : 'the instance', file.path)
      return { data: { file: file.path, ...exported }, text }
    }),
  )

/** Exports an entry with its proof. @throws CommandError, audit_entry_not_found */
export const exportEntry = (
  terminal: Terminal,
  id: string,
  file: NewFile,
  withPersonalData: boolean,
): Promise<Result> =>
  writeNewFile(file, (append) =>
    withDeps(terminal, async (deps) => {
      const proof = await exportProof(deps, id, withPersonalData)
      if (!proof)
        throw new CommandError('entry_not_sealed', 'The entry is not sealed yet. Run the command again in a minute.')
      if ('broken' in proof) throw notValid('The seal of the entry', proof.broken)
      await append(`${JSON.stringify(proof)}\n`)
      const data = { file: file.path, chain: proof.chain, entry: proof.entry.id }
      return { data, text: `Exported the entry ${data.entry} with its proof to ${file.path}.\n` }
    }),
  )

function textOf(exported: Omit<ExportedChain, 'brokenChain'>, name: string, path: string): string {
  const { entries, seals, head, pending, firstBroken } = exported
  const lines = [
    `Exported ${entries === 1 ? '1 entry' : `${entries} entries`} of the log of ${name} in ${counted(seals, 'seal')} to ${path}.`,
    `Last hash: ${head}`,
    pending > 0 && `Not exported, because not sealed yet: ${pending}.`,
    firstBroken &&
      `The log has a violation that the export does not contain: ${firstBroken.reason}. Run keyward audit verify.`,
  ]
  return lines.map((line) => (line ? `${line}\n` : '')).join('')
}

const notValid = (what: string, { reason, id }: { reason: string; id: string | null }): CommandError =>
  new CommandError(
    'log_not_valid',
    `${what} is not valid: ${reason}${id ? ` (entry ${id})` : ''}. The file was not created. Run keyward audit verify.`,
  )
