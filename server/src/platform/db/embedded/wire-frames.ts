/** What a client sent, in units that can be answered (PostgreSQL frontend/backend protocol 3.0). */
export type Turn =
  | { kind: 'encryption' | 'cancel' | 'terminate' | 'malformed' }
  | { kind: 'startup' | 'messages'; bytes: Uint8Array }

const PROTOCOL_3 = 196_608
const CANCEL_REQUEST = 80_877_102
const SSL_REQUEST = 80_877_103
const GSS_REQUEST = 80_877_104
const LONGEST_MESSAGE = 2 ** 30 - 1

/** Messages after which a client waits for an answer: Query, Sync, Flush, FunctionCall, and the parts of a COPY. */
const ENDS_TURN = new Set([...'QSHFcdf'].map((letter) => letter.charCodeAt(0)))
const TERMINATE = 'X'.charCodeAt(0)

/**
 * Cuts a client's bytes into turns. The messages of one extended query (Parse, Bind, Describe, Execute, Sync) are
 * handed out together and not before they are complete: one call into the engine instead of five, and a client that is
 * lost half-way leaves nothing behind.
 */
export class WireFrames {
  private pending: Buffer = Buffer.alloc(0)
  /** Bytes at the start of `pending` that are complete messages of a turn whose end is still missing. */
  private scanned = 0
  private started = false

  push(chunk: Buffer): void {
    this.pending = this.pending.length === 0 ? chunk : Buffer.concat([this.pending, chunk])
  }

  /** The next complete turn, undefined while bytes are missing. */
  next(): Turn | undefined {
    return this.started ? this.nextMessages() : this.nextOpening()
  }

  private nextOpening(): Turn | undefined {
    if (this.pending.length < 8) return undefined
    const length = this.pending.readInt32BE(0)
    // a length of three bytes is also what PGlite knows a startup message by
    if (length < 8 || length > 0xffffff) return { kind: 'malformed' }
    if (this.pending.length < length) return undefined
    const code = this.pending.readInt32BE(4)
    const bytes = this.take(length)
    if (code === SSL_REQUEST || code === GSS_REQUEST) return { kind: 'encryption' }
    if (code === CANCEL_REQUEST) return { kind: 'cancel' }
    if (code !== PROTOCOL_3) return { kind: 'malformed' }
    this.started = true
    return { kind: 'startup', bytes }
  }

  private nextMessages(): Turn | undefined {
    while (this.pending.length >= this.scanned + 5) {
      const type = this.pending.readUInt8(this.scanned)
      const length = this.pending.readInt32BE(this.scanned + 1)
      if (length < 4 || length > LONGEST_MESSAGE) return { kind: 'malformed' }
      if (this.pending.length < this.scanned + 1 + length) return undefined
      if (type === TERMINATE) return { kind: 'terminate' }
      this.scanned += 1 + length
      if (ENDS_TURN.has(type)) return { kind: 'messages', bytes: this.take(this.scanned) }
    }
    return undefined
  }

  private take(length: number): Uint8Array {
    const bytes = new Uint8Array(this.pending.subarray(0, length))
    this.pending = this.pending.subarray(length)
    this.scanned = 0
    return bytes
  }
}

/** A simple Query message. */
export function queryMessage(sql: string): Uint8Array {
  const text = Buffer.from(`${sql}\0`)
  return new Uint8Array(Buffer.concat([header('Q', text.length), text]))
}

export const SYNC_MESSAGE: Uint8Array = new Uint8Array(header('S', 0))

/** An ErrorResponse that ends the connection. */
export function fatalMessage(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
  return Buffer.concat([header('E', fields.length), fields])
}

function header(type: string, bodyLength: number): Buffer {
  const bytes = Buffer.alloc(5)
  bytes.write(type, 0, 'latin1')
  bytes.writeInt32BE(bodyLength + 4, 1)
  return bytes
}
