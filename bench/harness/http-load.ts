import { createConnection, type Socket } from 'node:net'

/**
 * The load generator: HTTP/1.1 over keep-alive connections, with one request in flight on each, sent as prepared bytes. On the same
 * machine, a full HTTP client would need as much processor time as the measured service.
 */
export interface Exchange {
  request: Buffer
  /** The status that the workload expects. Any other status ends the run. */
  status: number
  onBody?: (body: string) => void
}

export interface LoadResult {
  count: number
  seconds: number
  /** Duration of each request in milliseconds, sorted. */
  latencies: number[]
}

export interface RequestParts {
  method: string
  path: string
  token?: string
  /** The credentials of an OAuth client, for Basic authentication. */
  client?: { clientId: string; secret: string } | undefined
  body?: unknown
  /** A form body, instead of a JSON body. */
  form?: Record<string, string>
  /** The entity tag of the representation that the client has cached. */
  ifNoneMatch?: string | undefined
}

export function requestBytes({ method, path, token, client, body, form, ifNoneMatch }: RequestParts): Buffer {
  const text = form ? new URLSearchParams(form).toString() : body === undefined ? '' : JSON.stringify(body)
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
  const basic = client && Buffer.from(`${client.clientId}:${client.secret}`).toString('base64')
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'user-agent: keyward-bench',
    ...(token ? [`authorization: Bearer ${token}`] : []),
    ...(basic ? [`authorization: Basic ${basic}`] : []),
    ...(ifNoneMatch ? [`if-none-match: ${ifNoneMatch}`] : []),
    ...(text ? [`content-type: ${type}`, `content-length: ${Buffer.byteLength(text)}`] : []),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${text}`)
}

/** @param next returns the next exchange, or undefined if there are no more */
export async function runLoad(
  port: number,
  connections: number,
  next: () => Exchange | undefined,
): Promise<LoadResult> {
  const latencies: number[] = []
  const sockets = await Promise.all(Array.from({ length: connections }, () => connect(port)))
  const start = performance.now()
  await Promise.all(
    sockets.map(async (socket) => {
      for (let exchange = next(); exchange; exchange = next()) latencies.push(await exchangeOn(socket, exchange))
      socket.destroy()
    }),
  )
  const seconds = (performance.now() - start) / 1_000
  return { count: latencies.length, seconds, latencies: latencies.sort((a, b) => a - b) }
}

/** Returns exchanges until the time is over or `next` has no more. */
export function forSeconds(seconds: number, next: () => Exchange | undefined): () => Exchange | undefined {
  const end = performance.now() + seconds * 1_000
  return () => (performance.now() < end ? next() : undefined)
}

/** Returns `count` exchanges. */
export function times(count: number, next: () => Exchange): () => Exchange | undefined {
  let left = count
  return () => (left-- > 0 ? next() : undefined)
}

export const connect = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = createConnection({ port, host: '127.0.0.1', noDelay: true })
    socket.once('connect', () => resolve(socket)).once('error', reject)
  })

/** Sends one request, reads the response and returns the duration in milliseconds. @throws on an unexpected status */
export function exchangeOn(socket: Socket, { request, status, onBody }: Exchange): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    let text = ''
    const end = (error: Error) => reject(error)
    const closed = () => reject(new Error('the service closed the connection'))
    const read = (chunk: Buffer) => {
      text += chunk.toString('latin1')
      const head = text.indexOf('\r\n\r\n')
      if (head < 0) return
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0)
      if (text.length < head + 4 + length) return
      const milliseconds = performance.now() - start
      socket.off('data', read).off('error', end).off('close', closed)
      const body = text.slice(head + 4)
      const got = Number(text.slice(9, 12))
      if (got !== status) return reject(new Error(`expected ${status}, got ${got}: ${body}`))
      onBody?.(body)
      resolve(milliseconds)
    }
    socket.on('data', read).on('error', end).on('close', closed)
    socket.write(request)
  })
}

/** Sends one request on a new connection and returns the response body. @throws on an unexpected status */
export async function exchangeOnce(port: number, parts: RequestParts, status: number): Promise<string> {
  const socket = await connect(port)
  try {
    let text = ''
    const onBody = (body: string) => {
      text = body
    }
    await exchangeOn(socket, { request: requestBytes(parts), status, onBody })
    return text
  } finally {
    socket.destroy()
  }
}
