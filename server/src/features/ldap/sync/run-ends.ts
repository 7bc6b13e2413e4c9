import type { DirectoryRunId } from '../../../platform/ids.js'

/** The runs whose end a request of this node waits for. */
const waiting = new Map<DirectoryRunId, () => void>()

/** Returns a promise of the end of a run on this node. Only the request that started the run waits for it, and must call `forget`. */
export function awaitEnd(id: DirectoryRunId): { ended: Promise<void>; forget: () => void } {
  const ended = new Promise<void>((resolve) => waiting.set(id, resolve))
  return { ended, forget: () => void waiting.delete(id) }
}

/** Resolves the promise of `awaitEnd` if there is one. */
export const announceEnd = (id: DirectoryRunId): void => waiting.get(id)?.()
