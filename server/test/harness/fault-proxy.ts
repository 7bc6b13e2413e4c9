import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface FaultProxy {
  port: number
  /** The number of accepted connections. */
  readonly accepted: number
  /** Closes all connections and rejects new ones until `restore`. */
  cut(): Promise<void>
  /** Keeps all connections open and forwards nothing until `restore`. */
  hang(): void
  /**
   * Forwards `bytes` more bytes of the responses of the target and then fails. Resolves at that time.
   * @param how like `cut` or `hang`, but new connections are accepted; or with a TCP RST, like a firewall
   */
  failAfter(bytes: number, how: 'cut' | 'hang' | 'reset'): Promise<void>
  /** Forwards the first bytes of the responses of the target, and the rest byte by byte until `restore`. */
  dripAfter(bytes: number): void
  restore(): Promise<void>
  close(): Promise<void>
}

/** The delay between two bytes. */
const DRIP_MS = 20

/** A proxy between a service and its database or directory that simulates network failures. */
export async function startFaultProxy(target: { host: string; port: number }): Promise<FaultProxy> {
  const pairs = new Set<[Socket, Socket]>()
  let hanging = false
  let fault: { left: number; how: 'cut' | 'hang' | 'reset'; happened: () => void } | undefined
  let untilDrip = Number.POSITIVE_INFINITY

  /** Forwards data of the target until the scheduled failure. */
  function answer(client: Socket, chunk: Buffer): void {
    if (chunk.length > untilDrip) {
      client.write(chunk.subarray(0, untilDrip))
      drip(client, chunk.subarray(untilDrip))
      untilDrip = 0
      return
    }
    untilDrip -= chunk.length
    if (!fault || chunk.length <= fault.left) {
      if (fault) fault.left -= chunk.length
      client.write(chunk)
      return
    }
    const { left, how, happened } = fault
    fault = undefined
    if (how === 'hang') hanging = true
    client.write(chunk.subarray(0, left), () => {
      if (how === 'cut') client.destroy()
      if (how === 'reset') client.resetAndDestroy()
      happened()
    })
  }

  let accepted = 0
  const server = createServer((client) => {
    accepted++
    const upstream = connect(target.port, target.host)
    const pair: [Socket, Socket] = [client, upstream]
    pairs.add(pair)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('error', () => {})
      from.on('data', (chunk) => {
        // Data received meanwhile is lost, because the connection will be closed.
        if (hanging) return
        if (from === upstream) answer(client, chunk)
        else to.write(chunk)
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
    get accepted() {
      return accepted
    },
    cut,
    hang() {
      hanging = true
    },
    failAfter: (bytes, how) =>
      new Promise((happened) => {
        fault = { left: bytes, how, happened }
      }),
    dripAfter(bytes) {
      untilDrip = bytes
    },
    async restore() {
      if (hanging || untilDrip === 0) drop()
      hanging = false
      fault = undefined
      untilDrip = Number.POSITIVE_INFINITY
      if (!server.listening) await listen(port)
    },
    close: cut,
  }
}

const dripping = new WeakMap<Socket, Buffer[]>()

/** Queues data after the bytes that are still being sent. */
function drip(client: Socket, bytes: Buffer): void {
  const queue = dripping.get(client)
  if (queue) return void queue.push(bytes)
  const waiting = [bytes]
  dripping.set(client, waiting)
  let at = 0
  const timer = setInterval(() => {
    const [first] = waiting
    if (!first || client.destroyed) return clearInterval(timer)
    client.write(first.subarray(at, ++at))
    if (at < first.length) return
    waiting.shift()
    at = 0
  }, DRIP_MS)
}
