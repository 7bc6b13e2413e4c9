/**
 * The command line `keyward`: the service (`start`), the schema of the database (`migrate`), a diagnosis of the installation (`doctor`),
 * administrators (`admin`), help for users (`user`), keys (`keys`), the audit log (`audit`), and simulated SCIM clients (`simulate`).
 *
 * A command is a value (`Command`): name, arguments, options, the meaning of exit code 1, and `run`. The parser, `--help`, `--json`, the exit
 * codes and the page `docs/reference/command-line.md` are created from these values. A command calls the functions of the modules, and
 * opens the database of the settings itself: the embedded database only while the service does not run.
 * Only the entry point loads this folder, never the running service.
 */
export type { Command, CommandGroup } from './command.js'
export { COMMANDS } from './commands.js'
export { describeError } from './describe-error.js'
export { runCommandLine } from './run-command-line.js'
