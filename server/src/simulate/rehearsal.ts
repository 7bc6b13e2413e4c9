import { Mismatch } from './expectations.js'
import type { SentRequest } from './scim-client.js'

export interface Verdict {
  step: string
  /** In one line why the step failed; undefined when it did not. */
  fault: string | undefined
  requests: SentRequest[]
}

/** What a vendor does, step by step; each is judged by itself. */
export interface Rehearsal {
  step(name: string, act: () => Promise<unknown>): Promise<void>
  /** A step without whose outcome nothing that follows can be done: when it fails, only what is `finally` comes after it. */
  make<Made>(name: string, act: () => Promise<Made>): Promise<Made>
  /** A step for the end, which comes in any case: it takes away what was made. The last one given comes first. */
  finally(name: string, act: () => Promise<unknown>): void
}

class Stopped extends Error {}

/**
 * Runs a vendor's steps.
 * @param told called with the verdict of each step as soon as it is known
 * @param play the vendor; it hands what the client hears to `heard`
 */
export async function rehearse(
  told: (verdict: Verdict) => void,
  play: (rehearsal: Rehearsal, heard: (request: SentRequest) => void) => Promise<void>,
): Promise<void> {
  let requests: SentRequest[] = []
  const atEnd: { name: string; act: () => Promise<unknown> }[] = []
  const make = async <Made>(step: string, act: () => Promise<Made>): Promise<Made> => {
    requests = []
    try {
      const made = await act()
      told({ step, fault: undefined, requests })
      return made
    } catch (error) {
      told({ step, fault: reasonOf(error), requests })
      throw new Stopped()
    }
  }
  const step = (name: string, act: () => Promise<unknown>) => make(name, act).then(() => undefined, goOn)
  const rehearsal = {
    make,
    step,
    finally: (name: string, act: () => Promise<unknown>) => void atEnd.push({ name, act }),
  }
  await play(rehearsal, (request) => void requests.push(request)).catch(goOn)
  for (const { name, act } of atEnd.reverse()) await step(name, act)
}

function goOn(error: unknown): void {
  if (!(error instanceof Stopped)) throw error
}

/** What went wrong in one line: of the network too, whose errors hide their cause. */
function reasonOf(error: unknown): string {
  if (error instanceof Mismatch || !(error instanceof Error))
    return String(error instanceof Error ? error.message : error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message || error.cause.name}` : error.message
}
