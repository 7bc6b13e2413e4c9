import { Mismatch } from './expectations.js'
import type { SentRequest } from './scim-client.js'

export interface StepResult {
  step: string
  /** The reason in one line if the step failed. */
  failure: string | undefined
  requests: SentRequest[]
}

/** The steps of a vendor, each checked individually. */
export interface Simulation {
  step(name: string, act: () => Promise<unknown>): Promise<void>
  /** A step that later steps depend on: if it fails, only the `finally` steps follow. */
  requiredStep<Result>(name: string, act: () => Promise<Result>): Promise<Result>
  /** A cleanup step, which always runs, in reverse order of registration. */
  finally(name: string, act: () => Promise<unknown>): void
}

class Stopped extends Error {}

/**
 * Runs the steps of a vendor.
 * @param report called with the result of each step
 * @param run the vendor, which passes the client's requests to `onRequest`
 */
export async function runSteps(
  report: (result: StepResult) => void,
  run: (simulation: Simulation, onRequest: (request: SentRequest) => void) => Promise<void>,
): Promise<void> {
  let requests: SentRequest[] = []
  const cleanup: { name: string; act: () => Promise<unknown> }[] = []
  const requiredStep = async <Result>(step: string, act: () => Promise<Result>): Promise<Result> => {
    requests = []
    try {
      const result = await act()
      report({ step, failure: undefined, requests })
      return result
    } catch (error) {
      report({ step, failure: reasonOf(error), requests })
      throw new Stopped()
    }
  }
  const step = (name: string, act: () => Promise<unknown>) =>
    requiredStep(name, act).then(() => undefined, ignoreStopped)
  const simulation = {
    requiredStep,
    step,
    finally: (name: string, act: () => Promise<unknown>) => void cleanup.push({ name, act }),
  }
  await run(simulation, (request) => void requests.push(request)).catch(ignoreStopped)
  for (const { name, act } of cleanup.reverse()) await step(name, act)
}

function ignoreStopped(error: unknown): void {
  if (!(error instanceof Stopped)) throw error
}

/** Returns the reason in one line, including the cause of network errors. */
function reasonOf(error: unknown): string {
  if (error instanceof Mismatch || !(error instanceof Error))
    return String(error instanceof Error ? error.message : error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message || error.cause.name}` : error.message
}
