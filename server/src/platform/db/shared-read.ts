/**
 * Shares a read between concurrent callers with the same key. The read starts after all callers that share it have called, so that a
 * credential that was revoked before a request is rejected in that request.
 */
export function sharedRead<Input, T>(read: (input: Input) => Promise<T>, key: (input: Input) => string) {
  const gathering = new Map<string, Promise<T>>()
  return (input: Input): Promise<T> => {
    const name = key(input)
    const shared = gathering.get(name)
    if (shared) return shared
    // Requests of the same event loop round have called by now; later callers start another read.
    const begun = new Promise<void>((resolve) => void setImmediate(resolve)).then(() => {
      gathering.delete(name)
      return read(input)
    })
    gathering.set(name, begun)
    return begun
  }
}
