import { parseArgs } from 'node:util'
import { entra } from './entra.js'
import { google } from './google.js'
import { okta } from './okta.js'
import { runSteps, type Simulation, type StepResult } from './run-steps.js'
import { createScimClient, type SentRequest } from './scim-client.js'
import type { Vendor } from './vendor.js'

const VENDORS: Record<string, Vendor> = { okta, entra, google }

const USAGE = [
  'Usage: keyward simulate okta|entra|google --base URL --token TOKEN [--verbose]',
  '',
  'Sends the requests of that SCIM client to a service and reports for each step whether the client could continue.',
  '  --base     the SCIM URL of a team: https://id.example.com/scim/v2/acme',
  '  --token    a SCIM token of that team; default: the environment variable SCIM_TOKEN',
  '  --verbose  print every request and response',
  '',
  'Created resources are named "simulated" and deleted at the end. Exit code: 0 if every step passed, 1 if one failed, 2 for invalid arguments.',
  '',
].join('\n')

/**
 * Runs the command: simulates a vendor against a service and prints a line for each step.
 * @param args the arguments after the command name
 * @param print prints complete lines
 * @returns the exit code: 0 if every step passed, 1 if one failed, 2 for invalid arguments
 */
export async function simulate(
  args: string[],
  print: (text: string) => void,
  env: NodeJS.ProcessEnv = process.env,
): Promise<0 | 1 | 2> {
  const read = readArguments(args, env)
  if ('failure' in read) {
    print(`${read.failure}\n\n${USAGE}`)
    return 2
  }
  const { vendor, base, token, verbose } = read
  print(`${vendor.name} and ${base}\n`)
  const results: StepResult[] = []
  const notify = (result: StepResult) => {
    results.push(result)
    print(resultLine(result))
    if (verbose || result.failure !== undefined) for (const request of result.requests) print(requestLines(request))
  }
  await runSteps(notify, (simulation: Simulation, onRequest) =>
    vendor.run(simulation, createScimClient(base, token, onRequest, { userAgent: vendor.userAgent })),
  )
  const failed = results.filter(({ failure }) => failure !== undefined).length
  print(
    failed === 0
      ? `\nAll ${results.length} steps passed for ${vendor.name}.\n`
      : `\n${failed} of ${results.length} steps failed for ${vendor.name}.\n`,
  )
  return failed === 0 ? 0 : 1
}

const resultLine = ({ step, failure }: StepResult): string =>
  failure === undefined ? `  ok    ${step}\n` : `  FAIL  ${step}: ${failure}\n`

const requestLines = ({ method, path, body, response, ms }: SentRequest): string =>
  [
    `          ${method} ${path} → ${response.status} in ${Math.round(ms)} ms`,
    ...(body === undefined ? [] : [`            sent      ${JSON.stringify(body)}`]),
    ...(response.body === undefined ? [] : [`            received  ${JSON.stringify(response.body)}`]),
    '',
  ].join('\n')

/** Returns the vendor, the URL without a trailing slash, the token and whether to print everything; or a one-line error. */
function readArguments(args: string[], env: NodeJS.ProcessEnv) {
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { base: { type: 'string' }, token: { type: 'string' }, verbose: { type: 'boolean', default: false } },
    })
    const [name = '', ...more] = positionals
    const vendor = Object.hasOwn(VENDORS, name) ? VENDORS[name] : undefined
    if (!vendor || more.length > 0) return { failure: `specify one of ${Object.keys(VENDORS).join(', ')}` }
    const base = values.base?.replace(/\/+$/, '')
    if (!base || !/^https?:$/.test(protocolOf(base))) return { failure: '--base must be an http or https URL' }
    const token = values.token ?? env.SCIM_TOKEN
    if (!token) return { failure: '--token is required' }
    return { vendor, base, token, verbose: values.verbose }
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}

const protocolOf = (address: string): string => (URL.canParse(address) ? new URL(address).protocol : '')
