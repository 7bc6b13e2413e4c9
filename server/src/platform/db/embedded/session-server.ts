import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Engine } from './engine.js'
import { type ClientRequest, fatalMessage, queryMessage, SYNC_MESSAGE, WireFrames } from './wire-frames.js'

export interface SessionServer {
  /** Ends the connections and stops listening; an open transaction is rolled back. */
  close(): Promise<void>
}

export interface SessionOptions {
  engine: Engine
  /** Called between two requests while no transaction is open; the next request waits for it. */
  whenIdle: () => Promise<void>
  /** Called before each response is sent. */
  beforeResponse?: () => void
  /** Milliseconds that a connection waits for the previous one to end. */
  patience: number
}

/** Serves the engine on a unix socket. */
export async function serveSessions({ path, ...options }: SessionOptions & { path: string }): Promise<SessionServer> {
  const sessions = createSessions(options)
  const server = createServer((socket) => sessions.accept(socket))
  server.listen(path)
  await once(server, 'listening')

  return {
    async close() {
      const closed = once(server, 'close')
      server.close()
      await Promise.all([closed, sessions.close()])
    },
  }
}

export interface Sessions extends SessionServer {
  /** Serves the server's end of a connection. */
  accept(socket: Duplex): void
}

/**
 * Serves the engine to one connection at a time. PostgreSQL in WebAssembly is a single session: two concurrent connections would
 * share its transaction, settings and prepared statements. A second connection waits until the first has ended and is rejected with
 * an error after the timeout. Each connection starts with a reset session.
 *
 * Not `PGLiteSocketServer` of @electric-sql/pglite-socket 0.2.17: after a lost connection it rolls back, but leaves settings,
 * temporary tables and prepared statements to the next connection (whose named statement then "already exists"). It rejects a second
 * connection with bytes that are no protocol message, and after one exception of the engine its queue hangs without an error.
 */
export function createSessions(options: SessionOptions): Sessions {
  const { engine, patience } = options
  const sockets = new Set<Duplex>()
  let queue: Promise<void> = Promise.resolve()

  return {
    accept(socket) {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      socket.on('error', () => {}) // A lost client; the reading loop ends on its own.
      const tooLate = setTimeout(() => socket.end(BUSY), patience)
      queue = queue.then(async () => {
        clearTimeout(tooLate)
        if (socket.writable) await serveSession(socket, options)
      })
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await queue
      await resetSession(engine)
    },
  }
}

const BUSY = fatalMessage(
  '53300',
  'the embedded database serves one connection at a time: use a pool of one connection',
)
const MALFORMED = fatalMessage('08P01', 'not a message of the PostgreSQL protocol 3.0')

async function serveSession(socket: Duplex, options: SessionOptions): Promise<void> {
  const frames = new WireFrames()
  try {
    for await (const chunk of socket) {
      frames.push(chunk)
      for (let request = frames.next(); request; request = frames.next()) {
        if (!(await respond(request, socket, options))) return
      }
    }
  } catch (error) {
    // A disconnected client is no failure of the database; everything else is.
    if (!socket.destroyed) throw error
  } finally {
    socket.end(() => socket.destroy())
    await resetSession(options.engine)
  }
}

/** Returns false if the connection has ended. */
async function respond(
  request: ClientRequest,
  socket: Duplex,
  { engine, whenIdle, beforeResponse }: SessionOptions,
): Promise<boolean> {
  if (request.kind === 'encryption') return socket.write('N') || true
  if (request.kind === 'malformed') socket.write(MALFORMED)
  if (request.kind !== 'startup' && request.kind !== 'messages') return false

  socket.cork()
  const status = await engine.exchange(request.bytes, (bytes) => socket.write(bytes))
  beforeResponse?.()
  socket.uncork()
  if (status === 'I') await whenIdle()
  // Reading continues once the response is sent, so that responses to a slow client do not accumulate.
  if (socket.writableNeedDrain) await drained(socket)
  return !socket.destroyed
}

/** Waits until the socket drains or is closed. Removes its listeners, because a session can last for months. */
async function drained(socket: Duplex): Promise<void> {
  const over = new AbortController()
  const { signal } = over
  await Promise.race([once(socket, 'drain', { signal }), once(socket, 'close', { signal })]).finally(() => over.abort())
}

/**
 * Resets the session. ROLLBACK comes before Sync, because Sync would commit an open pipeline. After an error PostgreSQL skips
 * everything up to a Sync, including the first ROLLBACK, so a second one follows.
 */
async function resetSession(engine: Engine): Promise<void> {
  for (const message of [ROLLBACK, SYNC_MESSAGE, ROLLBACK]) await engine.exchange(message)
  const status = await engine.exchange(DISCARD_ALL)
  if (status !== 'I') throw new Error('The session of the embedded database could not be reset.')
}

const ROLLBACK = queryMessage('ROLLBACK')
const DISCARD_ALL = queryMessage('DISCARD ALL')
