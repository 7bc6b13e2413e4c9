/** Something kept in memory that can be made again. */
export interface Sized {
  /** Characters of JSON that it was made from; what is compiled of them takes some ten bytes for each, thirty at worst. */
  size: number
}

/** Bounds what is kept by all who share it; what was not used for longest goes first. */
export interface Shelf {
  /** @param drop called when it must go, or when somebody takes it away */
  put(item: Sized, drop: () => void): void
  /** It was used just now. */
  use(item: Sized): void
  take(item: Sized): void
}

/** The largest team stays below it. */
const MAX_ITEMS = 1_000
const MAX_SIZE = 32 * 1_048_576

export function createShelf(): Shelf {
  /** The one used last stands last. */
  const stored = new Map<Sized, () => void>()
  let size = 0

  function take(item: Sized): void {
    const drop = stored.get(item)
    if (!drop) return
    stored.delete(item)
    size -= item.size
    drop()
  }

  return {
    take,
    use(item) {
      const drop = stored.get(item)
      if (!drop) return
      stored.delete(item)
      stored.set(item, drop)
    },
    put(item, drop) {
      stored.set(item, drop)
      size += item.size
      for (const oldest of stored.keys()) {
        if (stored.size <= MAX_ITEMS && size <= MAX_SIZE) break
        take(oldest)
      }
    },
  }
}
