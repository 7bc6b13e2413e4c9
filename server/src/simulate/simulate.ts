import { readArguments, USAGE } from './arguments.js'
import { type Rehearsal, rehearse, type Verdict } from './rehearsal.js'
import { createScimClient, type SentRequest } from './scim-client.js'

/**
 * The command: plays a vendor against a service and prints a line for each step.
 * @param args after the command's name
 * @param print takes whole lines
 * @returns the exit code: 0 when every step went well, 1 when one failed, 2 for wrong arguments
 */
export async function simulate(
  args: string[],
  print: (text: string) => void,
  env: NodeJS.ProcessEnv = process.env,
): Promise<0 | 1 | 2> {
  const read = readArguments(args, env)
  if ('fault' in read) {
    print(`${read.fault}\n\n${USAGE}`)
    return 2
  }
  const { vendor, base, token, verbose } = read
  print(`${vendor.name} and ${base}\n`)
  const verdicts: Verdict[] = []
  const notify = (verdict: Verdict) => {
    verdicts.push(verdict)
    print(verdictLine(verdict))
    if (verbose || verdict.fault !== undefined) for (const request of verdict.requests) print(requestLines(request))
  }
  await rehearse(notify, (rehearsal: Rehearsal, heard) =>
    vendor.play(rehearsal, createScimClient(base, token, heard, { userAgent: vendor.userAgent })),
  )
  const failed = verdicts.filter(({ fault }) => fault !== undefined).length
  print(
    failed === 0
      ? `\nAll ${verdicts.length} steps went as ${vendor.name} needs them.\n`
      : `\n${failed} of ${verdicts.length} steps did not go as ${vendor.name} needs them.\n`,
  )
  return failed === 0 ? 0 : 1
}

const verdictLine = ({ step, fault }: Verdict): string =>
  fault === undefined ? `  ok    ${step}\n` : `  FAIL  ${step}: ${fault}\n`

const requestLines = ({ method, path, body, answer, ms }: SentRequest): string =>
  [
    `          ${method} ${path} → ${answer.status} in ${Math.round(ms)} ms`,
    ...(body === undefined ? [] : [`            sent      ${JSON.stringify(body)}`]),
    ...(answer.body === undefined ? [] : [`            answered  ${JSON.stringify(answer.body)}`]),
    '',
  ].join('\n')
