import { type Command, textOption } from '../command.js'
import { LOG_OPTIONS, selectedLog, usageError } from './log-options.js'

export const exportCommand: Command = {
  name: 'export',
  summary: 'Export a log, or the proof of an entry, to a file that can be verified without the database',
  description:
    'Seals the pending entries, verifies the log while reading it, and signs its last hash. The export is recorded as audit.exported. Verify the file with keyward audit verify <file>.',
  options: [
    ['--out <file>', 'the file to create, with mode 0600'],
    ...LOG_OPTIONS,
    ['--entry <id>', 'only this entry, with a proof that the log contains it'],
    [
      '--without-personal-data',
      'no keys of encrypted values: IP addresses, user agents and personal metadata are not readable',
    ],
    ['--force', 'replace an existing file'],
  ],
  failure: 'the file cannot be written, the team or entry does not exist, or the log is not valid',
  async run(terminal, input) {
    const out = textOption(input, 'out')
    const entry = textOption(input, 'entry')
    const log = selectedLog(input)
    if (out === undefined) throw usageError('Name the file with --out <file>.')
    const { exportEntry, exportLog } = await import('./write-export.js')
    const file = { path: out, replace: input.options.force === true }
    const withPersonalData = input.options.withoutPersonalData !== true
    if (entry !== undefined && log === undefined) return exportEntry(terminal, entry, file, withPersonalData)
    if (entry === undefined && log !== undefined) return exportLog(terminal, log, file, withPersonalData)
    throw usageError('Select what to export with one of --team <id or slug>, --instance and --entry <id>.')
  },
}
