import type { IncomingMessage } from 'node:http'

/** Whether the request announces a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/**
 * Discards the rest of a body that was answered before it was read, so that the client can read the answer and use the connection
 * again (RFC 9112 9.3). Closes the connection of a client that sends more than `most` bytes, and one whose body ends while the server
 * stops: nothing else would, until it has been idle for as long as an idle connection may stay.
 */
export function discardBody(request: IncomingMessage, most: number, isStopping: () => boolean): void {
  let left = most
  request.once('end', () => {
    if (isStopping()) request.socket.end()
  })
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) request.destroy()
  })
}
