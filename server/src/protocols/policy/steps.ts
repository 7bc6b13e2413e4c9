/**
 * Work in steps, so that whoever runs it can let others have their turn between two of them: a team may have ten thousand policies,
 * and what it takes to compile or ask all of them must not keep everybody else waiting. A step takes a few milliseconds at most.
 */
export type Steps<T> = Generator<undefined, T>

/** Does all steps at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
