import { readArguments, USAGE } from './arguments.js'
import { runSteps, type Simulation, type StepResult } from './run-steps.js'
import { createScimClient, type SentRequest } from './scim-client.js'

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

const requestLines = ({ method, path, body, answer, ms }: SentRequest): string =>
  [
    `          ${method} ${path} → ${answer.status} in ${Math.round(ms)} ms`,
    ...(body === undefined ? [] : [`            sent      ${JSON.stringify(body)}`]),
    ...(answer.body === undefined ? [] : [`            received  ${JSON.stringify(answer.body)}`]),
    '',
  ].join('\n')
