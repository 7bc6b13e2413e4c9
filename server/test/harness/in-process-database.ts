import { Duplex } from 'node:stream'
import type { PoolSettings } from '../../src/platform/db/database.js'
import { compileProgram } from '../../src/platform/db/embedded/compiled-program.js'
import { openEngine } from '../../src/platform/db/embedded/engine.js'
import { createSessions } from '../../src/platform/db/embedded/session-server.js'
import { createUpkeep } from '../../src/platform/db/embedded/upkeep.js'
import { CopiedFiles } from './copied-files.js'

/** The longest time for which Node sets a timer, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1

// PGlite sets its timers with the global `setTimeout`. After the clock of a test moves back they are months ahead; Node runs a timer that is too
// long after a millisecond, and PostgreSQL sets it again.
globalThis.setTimeout = new Proxy(globalThis.setTimeout, {
  apply: (target, self, [act, milliseconds, ...values]) =>
    Reflect.apply(target, self, [act, Math.min(milliseconds ?? 0, LONGEST_TIMER), ...values]),
})

/** One end of an in-process connection. The other end receives each chunk immediately; there is no back pressure. */
class End extends Duplex {
  other!: End

  override _read(): void {}
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.other.push(chunk)
    done()
  }
  /** Joins the parts of a message, which both ends write separately. */
  override _writev(pieces: { chunk: Buffer }[], done: () => void): void {
    this._write(Buffer.concat(pieces.map(({ chunk }) => chunk)), 'buffer', done)
  }
  override _final(done: () => void): void {
    if (!this.other.destroyed) this.other.push(null)
    done()
  }
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.other.destroyed && !this.other.readableEnded) this.other.push(null)
    done(error)
  }
}

/** The end of the database. Its responses arrive in the next turn of the event loop, so that many statements do not block other work. */
class ServerEnd extends End {
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    setImmediate(() => {
      if (!this.other.destroyed) this.other.push(chunk)
      done()
    })
  }
}

/** The end of the driver, with the methods of a network socket that it calls. */
class ClientEnd extends End {
  constructor(private readonly accept: (server: Duplex) => void) {
    super()
  }
  connect(): this {
    const server = new ServerEnd()
    server.other = this
    this.other = server
    this.accept(server)
    setImmediate(() => this.emit('connect'))
    return this
  }
  setNoDelay = (): this => this
  setKeepAlive = (): this => this
  ref = (): this => this
  unref = (): this => this
}

/**
 * Plans a prepared statement once. By default, PostgreSQL plans it anew for the values of its first five executions, and most statements of
 * a test file run less often.
 */
const PLAN_ONCE = { plan_cache_mode: 'force_generic_plan' }

export interface InProcessDatabase {
  settings: PoolSettings
  /** Resolves if the database stops unexpectedly. */
  crashed: Promise<Error>
  close(): Promise<void>
}

/**
 * Opens the embedded database in the thread of the tests. A service runs it in a separate thread behind a Unix socket, but the two
 * thread switches of each statement cost more than most statements.
 *
 * @param template the folder of the database to copy
 */
export async function openInProcessDatabase(template: string): Promise<InProcessDatabase> {
  let crash: (reason: Error) => void = () => {}
  const crashed = new Promise<Error>((resolve) => {
    crash = resolve
  })
  const onCrash = (reason: string) => {
    const error = new Error(`The embedded database stopped: ${reason}`)
    crash(error)
    throw error
  }
  const settings = { folder: template, inMemory: false, program: await compileProgram() }
  const engine = await openEngine(settings, onCrash, { files: new CopiedFiles(template), settings: PLAN_ONCE })
  const sessions = createSessions({ engine, whenIdle: createUpkeep(engine), patience: 5_000 })

  return {
    settings: { user: 'postgres', database: 'postgres', stream: () => new ClientEnd(sessions.accept) },
    crashed,
    async close() {
      await sessions.close()
      await engine.close()
    },
  }
}
