import type { Socket } from 'node:net'
import { elementLength } from './check-message.js'
import { LdapFailure } from './ldap-failure.js'

/** ExtendedRequest 1.3.6.1.4.1.1466.20037 with the message id 1 (RFC 4511 4.14.1). */
const REQUEST = Buffer.concat([
  Buffer.from([0x30, 0x1d, 0x02, 0x01, 0x01, 0x77, 0x18, 0x80, 0x16]),
  Buffer.from('1.3.6.1.4.1.1466.20037'),
])
/** The maximum length of the response. */
const MAX_BYTES = 4_096

/**
 * Requests StartTLS and resolves when the server accepts it. The client sends no other request before. Bytes after the response were sent in
 * plaintext, so they fail the request.
 * @throws LdapFailure tls_failed
 */
export function requestStartTls(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0)
    const done = (problem?: string) => {
      socket.off('data', take).off('close', ended)
      socket.pause()
      // A socket that was destroyed by the timeout has its own error.
      if (socket.errored instanceof LdapFailure) reject(socket.errored)
      else if (problem) reject(new LdapFailure('tls_failed', problem))
      else resolve()
    }
    const ended = () => done('The server closed the connection after the StartTLS request')
    const take = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      const length = bytes[0] === 0x30 ? elementLength(bytes) : Number.NaN
      if (length === undefined) return
      if (Number.isNaN(length) || length > MAX_BYTES) done('The server does not use LDAP')
      else if (bytes.length > length) done('The server sent plaintext after accepting StartTLS')
      else if (bytes.length === length)
        done(agrees(bytes) ? undefined : 'The server does not support StartTLS or rejected it')
    }
    socket.on('data', take).on('close', ended)
    socket.write(REQUEST)
  })
}

/** Returns whether an ExtendedResponse to message 1 is a success. */
function agrees(bytes: Buffer): boolean {
  const message = contentOf(bytes)
  if (!message.subarray(0, 4).equals(Buffer.from([0x02, 0x01, 0x01, 0x78]))) return false
  return contentOf(message.subarray(3))
    .subarray(0, 3)
    .equals(Buffer.from([0x0a, 0x01, 0x00]))
}

function contentOf(element: Buffer): Buffer {
  const first = element[1] ?? 0
  return element.subarray(first < 0x80 ? 2 : 2 + (first & 0x7f))
}
