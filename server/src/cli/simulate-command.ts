import { type Command, CommandError, EXIT, type Input, textOption } from './command.js'
import { simulate, VENDORS } from './simulate/index.js'

const NAMES = Object.keys(VENDORS).join(', ')

/** Tests a SCIM URL and token, of a team or of any other SCIM 2.0 service, with the requests of a vendor's client. */
export const simulateCommand: Command = {
  name: 'simulate',
  summary: 'Send the requests of a SCIM client to a service, and report what the client could not use',
  description:
    'Creates users and groups whose names begin with "simulated", and deletes them at the end. Needs only the URL and a token: it works for any SCIM 2.0 service.',
  arguments: [['<client>', NAMES]],
  options: [
    ['--base <url>', 'the SCIM URL, such as that of a team: https://id.example.com/scim/v2/acme'],
    [
      '--token <token>',
      'a SCIM token for that URL; better set SCIM_TOKEN, which other users of the machine cannot see',
    ],
    ['--verbose', 'print every request and response'],
  ],
  failure: 'a step failed',
  async run(terminal, input) {
    const request = readRequest(input, terminal.env)
    // A simulation takes seconds: its lines are printed at once, unless the result is JSON.
    const report = await simulate(request, (text) => {
      if (!input.options.json) terminal.print(text)
    })
    return { data: report, text: '', failed: report.failed > 0 }
  },
}

/** @throws CommandError with exit code 2 */
function readRequest(input: Input, env: NodeJS.ProcessEnv) {
  const [name = ''] = input.arguments
  const vendor = Object.hasOwn(VENDORS, name) ? VENDORS[name] : undefined
  if (!vendor) throw invalid(`There is no client ${name}: specify one of ${NAMES}`)
  const base = textOption(input, 'base')?.replace(/\/+$/, '')
  if (!base || !URL.canParse(base) || !/^https?:$/.test(new URL(base).protocol))
    throw invalid('--base must be an http or https URL')
  const token = textOption(input, 'token') ?? env.SCIM_TOKEN
  if (!token) throw invalid('Set --token or SCIM_TOKEN')
  return { vendor, base, token, verbose: input.options.verbose === true }
}

const invalid = (message: string): CommandError => new CommandError('invalid_argument', message, EXIT.usage)
