/** A unit of a client's bytes that has a response (PostgreSQL frontend/backend protocol 3.0). */
export type ClientRequest =
  | { kind: 'encryption' | 'cancel' | 'terminate' | 'malformed' }
  | { kind: 'startup' | 'messages'; bytes: Uint8Array }

const PROTOCOL_3 = 196_608
const CANCEL_REQUEST = 80_877_102
const SSL_REQUEST = 80_877_103
const GSS_REQUEST = 80_877_104
const MAX_MESSAGE_LENGTH = 2 ** 30 - 1

/** Messages after which a client waits for a response: Query, Sync, Flush, FunctionCall, and the parts of a COPY. */
const ENDS_REQUEST = new Set([...'QSHFcdf'].map((letter) => letter.charCodeAt(0)))
const TERMINATE = 'X'.charCodeAt(0)

/**
 * Splits a client's bytes into requests. The messages of an extended query (Parse, Bind, Describe, Execute, Sync) are returned
 * together once they are complete: one call of the engine instead of five, and a client that disconnects halfway has no effect.
 */
export class WireFrames {
  private pending: Buffer = Buffer.alloc(0)
  /** The bytes of complete messages at the start of `pending` that belong to an incomplete request. */
  private scanned = 0
  private started = false

  push(chunk: Buffer): void {
    this.pending = this.pending.length === 0 ? chunk : Buffer.concat([this.pending, chunk])
  }

  /** Returns the next complete request; undefined while bytes are missing. */
  next(): ClientRequest | undefined {
    return this.started ? this.nextMessages() : this.nextOpening()
  }

  private nextOpening(): ClientRequest | undefined {
    if (this.pending.length < 8) return undefined
    const length = this.pending.readInt32BE(0)
    // PGlite also detects a startup message by a length of at most three bytes.
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

  private nextMessages(): ClientRequest | undefined {
    while (this.pending.length >= this.scanned + 5) {
      const type = this.pending.readUInt8(this.scanned)
      const length = this.pending.readInt32BE(this.scanned + 1)
      if (length < 4 || length > MAX_MESSAGE_LENGTH) return { kind: 'malformed' }
      if (this.pending.length < this.scanned + 1 + length) return undefined
      if (type === TERMINATE) return { kind: 'terminate' }
      this.scanned += 1 + length
      if (ENDS_REQUEST.has(type)) return { kind: 'messages', bytes: this.take(this.scanned) }
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

/** Returns a simple Query message. */
export function queryMessage(sql: string): Uint8Array {
  const text = Buffer.from(`${sql}\0`)
  return new Uint8Array(Buffer.concat([header('Q', text.length), text]))
}

export const SYNC_MESSAGE: Uint8Array = new Uint8Array(header('S', 0))

/** Returns an ErrorResponse that ends the connection. */
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
