/** Batches that a node has in the database at once, of all its readings: the other connections are for those who wait for an answer. */
const PLACES = 4

let free = PLACES
const waiting: (() => void)[] = []

/** Does it when one of a few places is free, in the order in which they ask. */
export async function inPlace<T>(work: () => Promise<T>): Promise<T> {
  if (free > 0) free--
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    // The place goes over: nobody who comes at this moment can take it.
    if (next) next()
    else free++
  }
}
