/** Runs work once for concurrent callers with the same key: all of them wait for the same run. */
export function createSharedWork<Key>(): (key: Key, work: () => Promise<void>) => Promise<void> {
  const running = new Map<Key, Promise<void>>()
  return (key, work) => {
    const shared = running.get(key) ?? work().finally(() => running.delete(key))
    running.set(key, shared)
    return shared
  }
}
