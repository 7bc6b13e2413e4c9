/**
 * Work in steps of at most a few milliseconds, between which the caller can yield to the event loop: a team may have ten thousand policies
 * to compile or evaluate.
 */
export type Steps<T> = Generator<undefined, T>

/** Runs all steps without yielding. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
