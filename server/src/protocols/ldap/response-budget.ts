/** The bytes of a response that do not count: normal pages and all binds never wait. */
const FREE_BYTES = 1_048_576
/** The size of two maximal responses, so a single one can always complete. */
const MAX_BYTES = 128 * 1_048_576

/** A connection that receives a response. */
interface Reader {
  /** The connection may read more. */
  resumeReading(): void
  /** The connection must release its memory immediately. */
  abort(): void
}

/**
 * Limits the memory that the responses of all directories occupy on a node, beyond `FREE_BYTES` each. A connection above the limit pauses
 * until others release memory. If all connections that hold memory are paused, the one with the most is rejected.
 */
export class ResponseBudget {
  /** May exceed the limit by the bytes that connections read before they were paused. */
  bytes = 0
  private readonly held = new Map<Reader, number>()
  private readonly waiting = new Set<Reader>()

  constructor(readonly most = MAX_BYTES) {}

  /**
   * Stores the size of the response that the connection holds.
   * @param isComplete the response is complete and never paused
   * @returns whether more may be read; otherwise `resumeReading` or `abort` follows
   */
  hold(reader: Reader, responseBytes: number, isComplete: boolean): boolean {
    if (responseBytes <= FREE_BYTES) return true
    const bytes = responseBytes - FREE_BYTES
    this.bytes += bytes - (this.held.get(reader) ?? 0)
    this.held.set(reader, bytes)
    if (isComplete || this.bytes <= this.most) return true
    this.waiting.add(reader)
    this.resolveDeadlock()
    return !this.waiting.has(reader)
  }

  release(reader: Reader): void {
    const bytes = this.held.get(reader)
    if (bytes === undefined) return
    this.held.delete(reader)
    this.waiting.delete(reader)
    this.bytes -= bytes
    if (this.bytes > this.most) {
      this.resolveDeadlock()
      return
    }
    const waited = [...this.waiting]
    this.waiting.clear()
    for (const other of waited) other.resumeReading()
  }

  private resolveDeadlock(): void {
    if (this.waiting.size === 0 || this.waiting.size < this.held.size) return
    const [largest] = [...this.held].reduce((most, other) => (other[1] > most[1] ? other : most))
    largest.abort()
  }
}

/** The budget of this node. */
export const nodeBudget = new ResponseBudget()
