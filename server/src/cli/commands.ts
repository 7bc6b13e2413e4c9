import { adminCommands } from './admin/index.js'
import { auditCommands } from './audit/index.js'
import type { Command, CommandGroup } from './command.js'
import { doctorCommand } from './doctor/index.js'
import { keyCommands } from './keys/index.js'
import { migrateCommands } from './migrate/index.js'
import { simulateCommand } from './simulate-command.js'
import { startCommand } from './start/index.js'
import { userCommands } from './user/index.js'

/** Every command, in the order of `--help`. */
export const COMMANDS: (Command | CommandGroup)[] = [
  startCommand,
  migrateCommands,
  doctorCommand,
  adminCommands,
  userCommands,
  keyCommands,
  auditCommands,
  simulateCommand,
]
