import { entra } from './entra.js'
import { google } from './google.js'
import { okta } from './okta.js'
import { runSteps, type Simulation, type StepResult } from './run-steps.js'
import { createScimClient, type SentRequest } from './scim-client.js'
import type { Vendor } from './vendor.js'

/** The simulated clients by their names. */
export const VENDORS: Record<string, Vendor> = { okta, entra, google }

/** What a simulation needs. */
export interface SimulationRequest {
  vendor: Vendor
  /** The SCIM URL of a team, without a trailing slash: https://id.example.com/scim/v2/acme */
  base: string
  /** A SCIM token of that team. */
  token: string
  /** Whether to print every request and response. */
  verbose: boolean
}

/**
 * Simulates a vendor's client against a service, and prints a line for each step.
 * @param print prints complete lines
 * @returns the steps with their failures, if any
 */
export async function simulate(
  { vendor, base, token, verbose }: SimulationRequest,
  print: (text: string) => void,
): Promise<{ vendor: string; steps: { step: string; failure: string | undefined }[]; failed: number }> {
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
  return { vendor: vendor.name, steps: results.map(({ step, failure }) => ({ step, failure })), failed }
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
