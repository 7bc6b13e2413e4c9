import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface FaultProxy {
  port: number
  /** Ends every connection, and refuses new ones until `restore`. */
  cut(): Promise<void>
  /** Keeps every connection open and passes nothing on until `restore`. */
  hang(): void
  restore(): Promise<void>
  close(): Promise<void>
}

/** Stands between a service and its database, and fails as networks do. */
export async function startFaultProxy(target: { host: string; port: number }): Promise<FaultProxy> {
  const pairs = new Set<[Socket, Socket]>()
  let hanging = false
  const server = createServer((client) => {
    const upstream = connect(target.port, target.host)
    const pair: [Socket, Socket] = [client, upstream]
    pairs.add(pair)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('error', () => {})
      from.on('data', (chunk) => {
        // What came while nothing passes is lost, as the connection will be.
        if (!hanging) to.write(chunk)
      })
      from.on('close', () => {
        to.destroy()
        pairs.delete(pair)
      })
    }
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as { port: number }).port
  }
  const drop = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
  }
  const port = await listen(0)

  async function cut() {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    drop()
    await closed
  }
  return {
    port,
    cut,
    hang() {
      hanging = true
    },
    async restore() {
      if (hanging) drop()
      hanging = false
      if (!server.listening) await listen(port)
    },
    close: cut,
  }
}
