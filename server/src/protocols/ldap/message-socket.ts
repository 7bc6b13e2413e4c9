import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { checkMessage, elementLength, messageId, RESULTS, SEARCH_DONE } from './check-message.js'
import { LdapFailure } from './ldap-failure.js'
import { nodeBudget, type ResponseBudget } from './response-budget.js'

/** Larger than any group that a server sends in one message. */
const MAX_MESSAGE_BYTES = 16 * 1_048_576
/** The limit of the response to one request: a server that ignores the page size must not exhaust the memory. */
const MAX_RESPONSE_BYTES = 64 * 1_048_576

const MAX_DIAGNOSTIC_BYTES = 1_000
const MAX_DIAGNOSTIC_CHARACTERS = 300

/** Returns the printable characters of a diagnostic message; undefined if there are none. */
function printable(diagnostic: Buffer): string | undefined {
  const decoded = diagnostic.subarray(0, MAX_DIAGNOSTIC_BYTES).toString('utf8')
  // Control characters, such as the NUL at the end in Active Directory, and those that change the direction of writing.
  const words = decoded.replaceAll(/[\p{C}\p{Z}\uFFFD]+/gu, ' ').trim()
  return [...words].slice(0, MAX_DIAGNOSTIC_CHARACTERS).join('') || undefined
}

/**
 * Sits between a connection and the library that parses it, and passes on only complete, validated messages. Servers are untrusted: any
 * other data closes the connection.
 */
export class MessageSocket extends Socket {
  /** Why we closed the connection. */
  failure: LdapFailure | undefined
  /** The page cookie of the last completed search. */
  cookie: Buffer | undefined
  /** The diagnostic message of the last result; undefined if it has none. */
  diagnostic: string | undefined
  /** The password of the pending bind. A diagnostic message that contains it is discarded, because reports contain these messages. */
  password: string | undefined
  /** The ID of the last request. Only one request is pending at a time. */
  private requestId: number | undefined
  private waiting = Buffer.alloc(0)
  private waitingBytes = 0
  private responseBytes = 0
  private results = 0
  private isOverBudget = false

  constructor(
    private readonly inner: Duplex,
    private readonly budget: ResponseBudget = nodeBudget,
  ) {
    super()
    inner.on('data', (chunk: Buffer) => this.receive(chunk))
    inner.on('end', () => this.push(null))
    inner.on('error', (error) => this.destroy(error))
    inner.on('close', () => this.destroy())
    inner.resume()
  }

  override _read(): void {
    if (!this.isOverBudget) this.inner.resume()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    // A new request: the previous response is complete, so the counters start again.
    this.responseBytes = 0
    this.results = 0
    this.requestId = messageId(chunk)
    this.resumeReading()
    this.budget.release(this)
    this.inner.write(chunk, done)
  }

  override _final(done: () => void): void {
    this.inner.end(done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.waiting = Buffer.alloc(0)
    this.waitingBytes = 0
    this.inner.destroy()
    this.budget.release(this)
    done(error)
    // A regular socket emits this when its handle is closed; this one has no handle.
    process.nextTick(() => this.emit('close', error !== null))
  }

  /** Called by the budget: memory is available again. */
  resumeReading(): void {
    this.isOverBudget = false
    this.inner.resume()
  }

  /** Called by the budget: no memory will become available. */
  abort(): void {
    this.reject('Too many directories send large responses at once, and this one is the largest')
  }

  private receive(chunk: Buffer): undefined {
    this.keep(chunk)
    this.responseBytes += chunk.length
    if (this.responseBytes > MAX_RESPONSE_BYTES) return this.reject('The response exceeds 64 MiB')
    const wasOpen = this.results === 0
    this.passComplete()
    if (this.destroyed) return
    this.isOverBudget = !this.budget.hold(this, this.responseBytes, wasOpen && this.results > 0)
    if (this.isOverBudget) this.inner.pause()
  }

  /** Passes on complete messages. */
  private passComplete(): undefined {
    let at = 0
    while (at < this.waitingBytes && !this.destroyed) {
      const rest = this.waiting.subarray(at, this.waitingBytes)
      const length = rest[0] === 0x30 ? elementLength(rest) : Number.NaN
      if (length === undefined) break
      if (Number.isNaN(length)) return this.reject('The server does not use LDAP')
      if (length > MAX_MESSAGE_BYTES) return this.reject('An entry exceeds 16 MiB')
      if (rest.length < length) break
      this.pass(rest.subarray(0, length))
      at += length
    }
    if (at === 0 || this.destroyed) return
    // Copied, because messages that were passed on may still be in use.
    this.waiting = Buffer.from(this.waiting.subarray(at, this.waitingBytes))
    this.waitingBytes = this.waiting.length
  }

  /** Appends a chunk to the buffer. Its capacity doubles, so that many small chunks are not copied repeatedly. */
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
    if (!message) return this.reject('The server sent an invalid LDAP message')
    // An unsolicited notification needs no response (RFC 4511 section 4.4).
    if (message.id === 0) return
    // The library would format such a message as a log line many times its size.
    if (message.id !== this.requestId) return this.reject('The server sent an unsolicited response')
    if (RESULTS.includes(message.operation)) this.results++
    if (message.diagnostic) {
      const isEcho = this.password !== undefined && message.diagnostic.includes(this.password)
      this.diagnostic = isEcho ? undefined : printable(message.diagnostic)
    }
    if (message.operation === SEARCH_DONE) this.cookie = message.cookie
    if (!this.push(bytes)) this.inner.pause()
  }

  private reject(detail: string): undefined {
    this.failure = new LdapFailure('cut', detail)
    this.destroy(this.failure)
  }
}
