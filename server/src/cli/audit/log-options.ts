import { CommandError, EXIT, type Input, textOption } from '../command.js'

export const LOG_OPTIONS: [flags: string, meaning: string][] = [
  ['--team <id or slug>', 'the log of a team'],
  ['--instance', 'the log of the instance'],
]

export const usageError = (message: string): CommandError => new CommandError('invalid_options', message, EXIT.usage)

/**
 * Returns the ID or slug of the selected team, or null for the instance; undefined without a selection.
 * @throws CommandError with exit code 2 if the options select both
 */
export function selectedLog(input: Input): string | null | undefined {
  const team = textOption(input, 'team')
  if (team !== undefined && input.options.instance) throw usageError('Use either --team or --instance.')
  return input.options.instance ? null : team
}
