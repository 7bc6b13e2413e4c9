/** What the answers of one connection hold by right: pages of a normal size, and every sign-in, wait for nobody. */
const FREE_BYTES = 1_048_576
/** Two of the largest answers: one alone can always go on. */
const MOST_BYTES = 128 * 1_048_576

/** Somebody who reads an answer. */
interface Reader {
  /** There is room again: more may be read. */
  goOn(): void
  /** There will be none: what it holds has to be given back at once. */
  giveUp(): void
}

/**
 * What a node holds of the answers of all its directories together, beyond what each may hold by right. Who needs more than there is reads
 * no further until others have given theirs back. When all who hold something wait, nobody would ever: whoever holds the most gives up.
 */
export class AnswerBudget {
  /** At most by what each reader had read already when it was told to wait more than there may be. */
  bytes = 0
  private readonly held = new Map<Reader, number>()
  private readonly waiting = new Set<Reader>()

  constructor(readonly most = MOST_BYTES) {}

  /**
   * Notes how long the answer is that somebody holds.
   * @param isWhole it needs no more, and waits for nothing
   * @returns whether more may be read; else `goOn` says when, unless it is to give up
   */
  hold(reader: Reader, answered: number, isWhole: boolean): boolean {
    if (answered <= FREE_BYTES) return true
    const bytes = answered - FREE_BYTES
    this.bytes += bytes - (this.held.get(reader) ?? 0)
    this.held.set(reader, bytes)
    if (isWhole || this.bytes <= this.most) return true
    this.waiting.add(reader)
    this.endStandstill()
    return !this.waiting.has(reader)
  }

  giveBack(reader: Reader): void {
    const bytes = this.held.get(reader)
    if (bytes === undefined) return
    this.held.delete(reader)
    this.waiting.delete(reader)
    this.bytes -= bytes
    if (this.bytes > this.most) {
      this.endStandstill()
      return
    }
    const waited = [...this.waiting]
    this.waiting.clear()
    for (const other of waited) other.goOn()
  }

  private endStandstill(): void {
    if (this.waiting.size === 0 || this.waiting.size < this.held.size) return
    const [largest] = [...this.held].reduce((most, other) => (other[1] > most[1] ? other : most))
    largest.giveUp()
  }
}

/** Of this node. */
export const nodeAnswers = new AnswerBudget()
