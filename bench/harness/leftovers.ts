/** What a run has made outside itself, databases and folders: gone when it ends, and when somebody stops it halfway too. */
const left = new Set<() => Promise<void>>()

/** Remembers how to discard something; call what is answered to do it. */
export function discardLater(discard: () => Promise<void>): () => Promise<void> {
  left.add(discard)
  return async () => {
    if (left.delete(discard)) await discard()
  }
}

/** On SIGINT and SIGTERM everything is discarded before the process ends; its children end with it. */
export function discardOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, async () => {
      await Promise.allSettled([...left].map((discard) => discard()))
      process.exit(130)
    })
}
