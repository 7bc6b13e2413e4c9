/** Databases and folders that a run has created. They are removed when the run ends or is interrupted. */
const left = new Set<() => Promise<void>>()

/** Registers a clean-up function and returns the function that runs it. */
export function discardLater(discard: () => Promise<void>): () => Promise<void> {
  left.add(discard)
  return async () => {
    if (left.delete(discard)) await discard()
  }
}

/** Runs every clean-up function on SIGINT and SIGTERM. The child processes end with this one. */
export function discardOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, async () => {
      await Promise.allSettled([...left].map((discard) => discard()))
      process.exit(130)
    })
}
