import { setImmediate } from 'node:timers/promises'

/** Milliseconds of work after which others have their turn. */
const SLICE = 10

/** Whoever waits for a turn; one of them goes on in each round of the event loop, so that many who work cost a round no more than one. */
let waiting: Promise<void> = Promise.resolve()

const turn = (): Promise<void> => {
  waiting = waiting.then(() => setImmediate())
  return waiting
}

/**
 * Does long work step by step; after 10 ms of it other requests have their turn. What takes less is done at once.
 * @param steps nothing that another request changes meanwhile may be read in more than one of them
 */
export async function inTurns<T>(steps: Iterator<undefined, T>): Promise<T> {
  let since = performance.now()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (performance.now() - since < SLICE) continue
    await turn()
    since = performance.now()
  }
}
