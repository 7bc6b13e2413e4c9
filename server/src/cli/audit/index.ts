import type { CommandGroup } from '../command.js'
import { exportCommand } from './export.js'
import { verifyCommand } from './verify.js'

/** The audit log: exports that can be verified without the service, and the verification of files and of the database. */
export const auditCommands: CommandGroup = {
  name: 'audit',
  summary: 'Export and verify the audit log',
  commands: [exportCommand, verifyCommand],
}
