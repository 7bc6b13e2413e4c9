/**
 * A read that those who ask for the same thing at the same moment share. Each answer was read after everybody who gets it had asked:
 * what was revoked before a request came is dead for that request.
 * @param read of what it is asked for; `key` names it
 */
export function sharedRead<Asked, T>(read: (asked: Asked) => Promise<T>, key: (asked: Asked) => string) {
  const gathering = new Map<string, Promise<T>>()
  return (asked: Asked): Promise<T> => {
    const name = key(asked)
    const shared = gathering.get(name)
    if (shared) return shared
    // Requests that came together are all handed over before this: from then on who asks begins another read.
    const begun = new Promise<void>((resolve) => void setImmediate(resolve)).then(() => {
      gathering.delete(name)
      return read(asked)
    })
    gathering.set(name, begun)
    return begun
  }
}
