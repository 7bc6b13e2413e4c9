import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The reaction of an application to a logout request: a status, a closed connection, or no response. */
export type Reaction = number | 'cut' | 'hang'

export interface ReceivedLogout {
  method: string
  contentType: string | undefined
  form: URLSearchParams
  /** The time of receipt, by the test clock. */
  at: Date
}

export interface LogoutReceiver {
  /** The back-channel logout URI of the application. */
  uri: string
  received: ReceivedLogout[]
  /** The number of requests that get no response. */
  readonly hanging: number
  /** Waits until the total number of requests reaches `count`. */
  arrived(count: number): Promise<void>
  /** Closes the connections of the waiting requests. */
  cutHanging(): void
  close(): Promise<void>
}

/** Starts the back-channel logout endpoint of a relying party. `reactions` are for the first requests; later ones get 200. */
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
