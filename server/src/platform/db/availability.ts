import { setTimeout as delay } from 'node:timers/promises'

/** Between two attempts to connect while the database is unavailable. */
const RETRY_MS = 500
/** Before the attempt that confirms a failure: an interruption that is already over must not reject requests. */
const CONFIRM_MS = 100

export interface Availability {
  /** Whether the last two attempts to connect failed. */
  readonly isUnavailable: boolean
  /** Verifies, after an error, whether the database can be reached; if not, tries again until it can. */
  verify(): void
  stop(): void
}

/**
 * Tracks whether the database is unavailable, so that requests fail at once instead of waiting for their timeouts.
 * @param canConnect opens a connection beside the pool, whose connections can all be in use
 * @param onUnavailable called when the database becomes unavailable
 */
export function createAvailability(canConnect: () => Promise<boolean>, onUnavailable: () => void): Availability {
  const stopped = new AbortController()
  let isUnavailable = false
  let isVerifying = false
  async function untilAvailable(): Promise<void> {
    for (let failures = 1; !stopped.signal.aborted && !(await canConnect()); failures++) {
      if (failures === 2) {
        isUnavailable = true
        onUnavailable()
      }
      const pause = failures === 1 ? CONFIRM_MS : RETRY_MS
      await delay(pause, undefined, { signal: stopped.signal, ref: false }).catch(() => undefined)
    }
    isUnavailable = false
    isVerifying = false
  }
  return {
    get isUnavailable() {
      return isUnavailable
    },
    verify() {
      if (isVerifying || stopped.signal.aborted) return
      isVerifying = true
      void untilAvailable()
    },
    stop: () => stopped.abort(),
  }
}
