/** A cached object that can be built again. */
export interface Sized {
  /** Characters of JSON of its source; the compiled form takes ten to thirty bytes for each. */
  size: number
}

/** A memory budget that several caches share; the least recently used items are removed first. */
export interface LruBudget {
  /** @param drop called when the item is removed */
  add(item: Sized, drop: () => void): void
  /** Marks the item as used. */
  touch(item: Sized): void
  remove(item: Sized): void
}

/** The largest team stays below both limits. */
const MAX_ITEMS = 1_000
const MAX_SIZE = 32 * 1_048_576

export function createLruBudget(): LruBudget {
  /** In the order of use, the latest last. */
  const stored = new Map<Sized, () => void>()
  let size = 0

  function remove(item: Sized): void {
    const drop = stored.get(item)
    if (!drop) return
    stored.delete(item)
    size -= item.size
    drop()
  }

  return {
    remove,
    touch(item) {
      const drop = stored.get(item)
      if (!drop) return
      stored.delete(item)
      stored.set(item, drop)
    },
    add(item, drop) {
      stored.set(item, drop)
      size += item.size
      for (const oldest of stored.keys()) {
        if (stored.size <= MAX_ITEMS && size <= MAX_SIZE) break
        remove(oldest)
      }
    },
  }
}
