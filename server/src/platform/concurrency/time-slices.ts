import { setImmediate } from 'node:timers/promises'

/** Milliseconds of work before the event loop runs again. */
const SLICE = 10

/** The queue of slices. One of them runs in each round of the event loop, so concurrent work costs a round no more than one slice. */
let waiting: Promise<void> = Promise.resolve()

const nextSlice = (): Promise<void> => {
  waiting = waiting.then(() => setImmediate())
  return waiting
}

/**
 * Runs long work step by step and yields to other requests after each 10 ms. Shorter work completes synchronously.
 * @param steps state that other requests can change must not be read in more than one step
 */
export async function runInSlices<T>(steps: Iterator<undefined, T>): Promise<T> {
  let since = performance.now()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (performance.now() - since < SLICE) continue
    await nextSlice()
    since = performance.now()
  }
}
