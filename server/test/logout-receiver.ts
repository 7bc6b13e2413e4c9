import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What an application does when it is told of a sign-out: answers with a status, cuts the connection, or never answers. */
export type Reaction = number | 'cut' | 'hang'

export interface ReceivedLogout {
  method: string
  contentType: string | undefined
  form: URLSearchParams
  /** When it came, by the clock of the tests. */
  at: Date
}

export interface LogoutReceiver {
  /** What its application registers as its back-channel address. */
  uri: string
  received: ReceivedLogout[]
  /** How many requests wait for an answer that does not come. */
  readonly hanging: number
  /** Waits until so many requests have come in all. */
  arrived(count: number): Promise<void>
  /** Cuts off the requests that wait. */
  cutHanging(): void
  close(): Promise<void>
}

/** The back-channel endpoint of a relying party, on a port of its own. The reactions are those to the first requests; then 200. */
export async function startLogoutReceiver(...reactions: Reaction[]): Promise<LogoutReceiver> {
  const received: ReceivedLogout[] = []
  const waiting = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      const reaction = reactions[received.length] ?? 200
      if (reaction === 'hang') {
        waiting.add(response)
        response.on('close', () => waiting.delete(response))
      } else if (reaction === 'cut') response.destroy()
      else
        response
          .writeHead(reaction, { 'cache-control': 'no-store', ...(reaction === 302 && { location: '/else' }) })
          .end()
      received.push({
        method: request.method ?? '',
        contentType: request.headers['content-type'],
        form: new URLSearchParams(body),
        at: new Date(Date.now()),
      })
      server.emit('received')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/backchannel-logout`,
    received,
    get hanging() {
      return waiting.size
    },
    async arrived(count) {
      while (received.length < count) await once(server, 'received')
    },
    cutHanging() {
      for (const response of waiting) response.destroy()
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
