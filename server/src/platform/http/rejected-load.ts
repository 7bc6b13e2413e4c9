import type { AppError } from '../app-error.js'
import type { Logger } from '../log.js'

/** Error codes of requests that were rejected because of load or an unavailable dependency. */
const LOAD = new Set(['unavailable', 'rate_limited'])

export const isRejectedLoad = ({ code }: AppError): boolean => LOAD.has(code)

export interface RejectedLoadLog {
  count(error: AppError): void
  /** Logs the counts since the last line. */
  flush(): void
}

/** Logs one line per second with the count of each code and the first cause: a line per request would add to the load. */
export function createRejectedLoadLog(log: Logger): RejectedLoadLog {
  let rejected: Record<string, number> = {}
  let cause: unknown
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    if (!timer) return
    clearTimeout(timer)
    timer = undefined
    log.warn({ rejected, ...(cause !== undefined && { err: cause }) }, 'requests were rejected')
    rejected = {}
    cause = undefined
  }
  return {
    flush,
    count(error) {
      rejected[error.code] = (rejected[error.code] ?? 0) + 1
      cause ??= error.cause
      timer ??= setTimeout(flush, 1_000).unref()
    },
  }
}
