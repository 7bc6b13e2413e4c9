import { SECOND } from '../../platform/clock.js'
import { inspectConfig } from '../../platform/config/config.js'
import { type Command, CommandError, EXIT, type Input, textOption } from '../command.js'
import { commandLog } from '../open.js'
import type { Terminal } from '../terminal.js'
import { type Check, type Context, type Part, runPart } from './check.js'
import { configurationPart } from './configuration.js'
import { dataFolderPart } from './data-folder.js'
import { databasePart } from './database.js'
import { hostPart, senderPart } from './dns.js'
import { encryptionKeyPart } from './encryption-key.js'
import { mailPart } from './mail.js'
import { proxyPart } from './proxy.js'
import { publicUrlPart } from './public-url.js'
import { report } from './report.js'

/** Parts that run concurrently with the others; those of one list run one after another: the last one locks the database or listens on the port. */
const SEQUENCES: Part[][] = [
  [configurationPart],
  [dataFolderPart, databasePart],
  [encryptionKeyPart],
  [hostPart],
  [senderPart],
  [mailPart],
  [publicUrlPart, proxyPart],
]

/** Explains what is wrong with an installation. Reads and connects, but changes no data and no schema. */
export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Diagnose the installation',
  description:
    'Checks the settings, the data folder, the database, the clock, DNS, the mail server, the public URL with its certificate, and the headers of the proxy. Changes no data and no schema. While the service does not run, it opens the embedded database, as the start does, and briefly listens on PORT to test the proxy. A start meanwhile exits with 3.',
  options: [
    ['--nodes <n>', 'number of nodes that share the database; default: 1'],
    ['--mail-to <address>', 'also send a test mail to this email address'],
    ['--timeout <seconds>', 'time limit of each check; default: 5'],
  ],
  failure: 'there is a problem; warnings alone return 0',
  async run(terminal, input) {
    return report(await runAll(contextOf(terminal, input)))
  },
}

async function runAll(context: Context): Promise<Check[]> {
  const results = await Promise.all(SEQUENCES.map((parts) => runInOrder(parts, context)))
  return results.flat()
}

async function runInOrder(parts: Part[], context: Context): Promise<Check[]> {
  const checks: Check[] = []
  for (const part of parts) checks.push(...(await runPart(part, context)))
  return checks
}

function contextOf(terminal: Terminal, input: Input): Context {
  const { config, problems } = inspectConfig(terminal.env)
  return {
    config,
    invalid: new Set(problems.map(({ setting }) => setting)),
    env: terminal.env,
    clock: terminal.clock,
    log: commandLog({ printError: () => {} }),
    nodes: nodesOf(input),
    mailTo: recipientOf(input),
    timeLimit: secondsOf(input) * SECOND,
  }
}

function nodesOf(input: Input): number {
  const text = textOption(input, 'nodes') ?? '1'
  if (!/^[1-9]\d{0,3}$/.test(text))
    throw new CommandError('invalid_option', '--nodes must be a whole number from 1 to 9999.', EXIT.usage)
  return Number(text)
}

function secondsOf(input: Input): number {
  const text = textOption(input, 'timeout') ?? '5'
  if (!/^[1-9]\d{0,2}$/.test(text))
    throw new CommandError('invalid_option', '--timeout must be a whole number from 1 to 999.', EXIT.usage)
  return Number(text)
}

function recipientOf(input: Input): string | undefined {
  const address = textOption(input, 'mailTo')
  if (address !== undefined && !/^[^\s<>@,;]+@[^\s<>@,;]+$/.test(address))
    throw new CommandError('invalid_option', '--mail-to must be an email address.', EXIT.usage)
  return address
}
