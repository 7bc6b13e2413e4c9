import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type AnswerBudget, nodeAnswers } from './answer-budget.js'
import { checkMessage, elementLength, messageId, RESULTS, SEARCH_DONE } from './check-message.js'
import { LdapFailure } from './ldap-failure.js'

/** Larger than any group that a server sends in one piece. */
const MOST_BYTES_A_MESSAGE = 16 * 1_048_576
/** What may come in answer to one request: a server that overlooks the size of a page must not fill our memory. */
const MOST_BYTES_AN_ANSWER = 64 * 1_048_576

/**
 * Stands between a connection and the library that reads it: whole messages alone come through, one at a time, each of them checked.
 * A server belongs to a stranger: whatever else it sends ends the connection.
 */
export class MessageSocket extends Socket {
  /** Why the connection was ended from our side. */
  failure: LdapFailure | undefined
  /** Of the last search that was done: where its next page begins. */
  cookie: Buffer | undefined
  /** Of the last request; one at a time is on its way. */
  private requestId: number | undefined
  private waiting = Buffer.alloc(0)
  private waitingBytes = 0
  private answered = 0
  private results = 0
  private mustWait = false

  constructor(
    private readonly inner: Duplex,
    private readonly budget: AnswerBudget = nodeAnswers,
  ) {
    super()
    inner.on('data', (chunk: Buffer) => this.receive(chunk))
    inner.on('end', () => this.push(null))
    inner.on('error', (error) => this.destroy(error))
    inner.on('close', () => this.destroy())
    inner.resume()
  }

  override _read(): void {
    if (!this.mustWait) this.inner.resume()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    // A request: what is counted from now on is its answer, and the one before is not needed any more.
    this.answered = 0
    this.results = 0
    this.requestId = messageId(chunk)
    this.goOn()
    this.budget.giveBack(this)
    this.inner.write(chunk, done)
  }

  override _final(done: () => void): void {
    this.inner.end(done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.waiting = Buffer.alloc(0)
    this.waitingBytes = 0
    this.inner.destroy()
    this.budget.giveBack(this)
    done(error)
    // A socket tells it itself, when its handle is closed; this one has none.
    process.nextTick(() => this.emit('close', error !== null))
  }

  /** Called by the budget: there is room for more. */
  goOn(): void {
    this.mustWait = false
    this.inner.resume()
  }

  /** Called by the budget: there is no room for the rest. */
  giveUp(): void {
    this.reject('Too many directories send large answers at once, and this one the largest')
  }

  private receive(chunk: Buffer): undefined {
    this.keep(chunk)
    this.answered += chunk.length
    if (this.answered > MOST_BYTES_AN_ANSWER) return this.reject('It sends more than 64 MiB in one answer')
    const wasOpen = this.results === 0
    this.passWhole()
    if (this.destroyed) return
    this.mustWait = !this.budget.hold(this, this.answered, wasOpen && this.results > 0)
    if (this.mustWait) this.inner.pause()
  }

  /** Passes on the messages that are whole. */
  private passWhole(): undefined {
    let at = 0
    while (at < this.waitingBytes && !this.destroyed) {
      const rest = this.waiting.subarray(at, this.waitingBytes)
      const length = rest[0] === 0x30 ? elementLength(rest) : Number.NaN
      if (length === undefined) break
      if (Number.isNaN(length)) return this.reject('It does not speak LDAP')
      if (length > MOST_BYTES_A_MESSAGE) return this.reject('It sends an entry of more than 16 MiB')
      if (rest.length < length) break
      this.pass(rest.subarray(0, length))
      at += length
    }
    if (at === 0 || this.destroyed) return
    // A copy: what was passed on may still be read.
    this.waiting = Buffer.from(this.waiting.subarray(at, this.waitingBytes))
    this.waitingBytes = this.waiting.length
  }

  /** Puts a piece behind those that wait. The room for them doubles, so that many small pieces are not copied over and over. */
  private keep(chunk: Buffer): void {
    const bytes = this.waitingBytes + chunk.length
    if (bytes > this.waiting.length) {
      const larger = Buffer.allocUnsafe(this.waitingBytes === 0 ? bytes : 2 * bytes)
      this.waiting.copy(larger, 0, 0, this.waitingBytes)
      this.waiting = larger
    }
    chunk.copy(this.waiting, this.waitingBytes)
    this.waitingBytes = bytes
  }

  private pass(bytes: Buffer): undefined {
    const message = checkMessage(bytes)
    if (!message) return this.reject('It sends what is no message of LDAP')
    // Answers nothing, and needs no answer (RFC 4511 4.4): the one that is defined comes before the end of the connection.
    if (message.id === 0) return
    // The library writes such a message out as text, many times its size, for a line that nobody reads.
    if (message.id !== this.requestId) return this.reject('It answers what it was not asked')
    if (RESULTS.includes(message.operation)) this.results++
    if (message.operation === SEARCH_DONE) this.cookie = message.cookie
    if (!this.push(bytes)) this.inner.pause()
  }

  private reject(detail: string): undefined {
    this.failure = new LdapFailure('cut', detail)
    this.destroy(this.failure)
  }
}
