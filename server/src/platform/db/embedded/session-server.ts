import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Engine } from './engine.js'
import { fatalMessage, queryMessage, SYNC_MESSAGE, type Turn, WireFrames } from './wire-frames.js'

export interface SessionServer {
  /** Ends the connections and stops listening; an open transaction is rolled back. */
  close(): Promise<void>
}

export interface SessionOptions {
  engine: Engine
  /** Called between two turns while no transaction is open; the next turn waits for it. */
  whenIdle: () => Promise<void>
  /** How long a connection waits for the one before it to end, in ms. */
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
  /** Takes the server's end of a connection. */
  accept(socket: Duplex): void
}

/**
 * Serves the engine to one connection after the other. PostgreSQL in WebAssembly is one single session:
 * two connections at a time would share its transaction, settings and prepared statements. So a second connection
 * waits until the first has ended and is refused with an error that says so when that takes too long, and each one
 * finds the session as new.
 *
 * Why not `PGLiteSocketServer` of @electric-sql/pglite-socket 0.2.17: it rolls back after a lost connection, but leaves
 * settings, temporary tables and prepared statements to the next one (whose named statement then "already exists"); it
 * refuses a second connection with text that is no protocol message; and after one exception of the engine its queue
 * stands still for ever, with nobody told.
 */
export function createSessions(options: SessionOptions): Sessions {
  const { engine, patience } = options
  const sockets = new Set<Duplex>()
  let line: Promise<void> = Promise.resolve()

  return {
    accept(socket) {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      socket.on('error', () => {}) // a lost client; the reading loop ends by itself
      const tooLate = setTimeout(() => socket.end(BUSY), patience)
      line = line.then(async () => {
        clearTimeout(tooLate)
        if (socket.writable) await serveSession(socket, options)
      })
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await line
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
      for (let turn = frames.next(); turn; turn = frames.next()) {
        if (!(await answer(turn, socket, options))) return
      }
    }
  } catch (error) {
    // a client that is gone is no failure of the database; everything else is
    if (!socket.destroyed) throw error
  } finally {
    socket.end(() => socket.destroy())
    await resetSession(options.engine)
  }
}

/** Returns false when the connection is over. */
async function answer(turn: Turn, socket: Duplex, { engine, whenIdle }: SessionOptions): Promise<boolean> {
  if (turn.kind === 'encryption') return socket.write('N') || true
  if (turn.kind === 'malformed') socket.write(MALFORMED)
  if (turn.kind !== 'startup' && turn.kind !== 'messages') return false

  socket.cork()
  const status = await engine.exchange(turn.bytes, (bytes) => socket.write(bytes))
  socket.uncork()
  if (status === 'I') await whenIdle()
  // reading goes on when the answer has left, so that a slow reader does not pile up answers
  if (socket.writableNeedDrain) await drained(socket)
  return !socket.destroyed
}

/** Waits until the socket takes more or is closed, and leaves no listener behind: the session may live for months. */
async function drained(socket: Duplex): Promise<void> {
  const over = new AbortController()
  const { signal } = over
  await Promise.race([once(socket, 'drain', { signal }), once(socket, 'close', { signal })]).finally(() => over.abort())
}

/**
 * Brings the session back to its start. ROLLBACK comes first, because Sync would commit what a pipeline had done until
 * then; after an error PostgreSQL skips everything up to a Sync, that first ROLLBACK included, hence the second.
 */
async function resetSession(engine: Engine): Promise<void> {
  for (const message of [ROLLBACK, SYNC_MESSAGE, ROLLBACK]) await engine.exchange(message)
  const status = await engine.exchange(DISCARD_ALL)
  if (status !== 'I') throw new Error('The session of the embedded database could not be reset.')
}

const ROLLBACK = queryMessage('ROLLBACK')
const DISCARD_ALL = queryMessage('DISCARD ALL')
