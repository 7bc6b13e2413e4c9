import type { IncomingMessage } from 'node:http'

/** Returns whether the headers announce a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/**
 * Discards the rest of a body after an early response, so that the client can read the response and reuse the connection
 * (RFC 9112 9.3). Closes the connection if the client sends more than `most` bytes, or if its body ends while the server stops:
 * otherwise the connection would stay open until the idle timeout.
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
