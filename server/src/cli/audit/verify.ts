import { type Command, textOption } from '../command.js'
import { LOG_OPTIONS, selectedLog, usageError } from './log-options.js'
import { readStoredCheckpoint, verifyArchive } from './verify-archive.js'

export const verifyCommand: Command = {
  name: 'verify',
  summary: 'Verify an exported file without the database, or the logs in the database',
  description:
    'With a file, neither settings nor the database are used. Without --keys, the public keys in the file verify its signature, which anyone can have created. Without a file, the logs in the database of the settings are verified: the selected one, or all.',
  arguments: [['[file]', 'an export of a log, or the proof of an entry']],
  options: [
    ['--keys <file>', 'trusted public keys: the response of GET /api/v1/audit/checkpoint-keys'],
    ['--checkpoint <file>', 'a signed checkpoint that was stored earlier, which the log must still contain'],
    ...LOG_OPTIONS,
  ],
  failure: 'a log or a file is not valid, or cannot be verified',
  async run(terminal, input) {
    const [file] = input.arguments
    const log = selectedLog(input)
    const keys = textOption(input, 'keys')
    const checkpointFile = textOption(input, 'checkpoint')
    if (file !== undefined && log !== undefined)
      throw usageError('A file contains its log: use --team and --instance without a file.')
    if (file === undefined && keys !== undefined) throw usageError('--keys verifies a file: name the file.')
    const checkpoint = checkpointFile === undefined ? undefined : await readStoredCheckpoint(checkpointFile)
    if (file !== undefined) return verifyArchive(file, { keys, checkpoint })
    // The verification of a file must work without the database.
    const { verifyDatabase } = await import('./verify-database.js')
    return verifyDatabase(terminal, log, checkpoint)
  },
}
