import { parentPort, workerData } from 'node:worker_threads'
import { findLoss, openAcknowledgedPosition } from './acknowledged-position.js'
import { DatabaseFiles } from './database-files.js'
import { openEngine, SYNCED } from './engine.js'
import { parsePosition } from './log-position.js'
import { serveSessions } from './session-server.js'
import { createUpkeep } from './upkeep.js'
import { CLOSE, type FromWorker, type WorkerInput } from './worker-messages.js'

/**
 * The thread of the embedded database: a query runs synchronously, so it would block the main thread. The main thread communicates
 * over the socket; messages are only for startup and shutdown.
 */
const input = workerData as WorkerInput
const notify = (message: FromWorker) => parentPort?.postMessage(message)

function crash(reason: string): never {
  return end('crashed', reason)
}

function end(kind: 'crashed' | 'rejected', reason: string): never {
  notify({ kind, reason })
  process.exit(1) // Ends this thread only.
}

const files = input.inMemory ? undefined : new DatabaseFiles(input.folder, input.fsync)
const engine = await openEngine(input, crash, {
  ...(files && { files }),
  ...(input.fsync && { settings: SYNCED }),
})

/** Verifies that no acknowledged write is missing, and returns the accepted loss. */
async function verifyLog(): Promise<{ loss?: string; position: number }> {
  // A start writes a checkpoint after recovery, and a stop writes one at its end. It begins where the log ended.
  const [checkpoint] = await engine.run<{ end: string }>('SELECT redo_lsn AS "end" FROM pg_control_checkpoint()')
  const position = parsePosition(checkpoint?.end ?? '')
  if (position === undefined) throw new Error('The last checkpoint of the embedded database is unknown.')
  const loss = findLoss(input.folder, position)
  if (loss === undefined) return { position }
  if (!input.acceptLoss)
    end(
      'rejected',
      `The database in ${input.folder} lacks acknowledged writes: ${loss} The last changes before the service stopped may be lost, such as accounts, new passwords and revoked sessions. Restore a backup, or set ACCEPT_LOSS=1 for one start to continue without them.`,
    )
  return { position, loss }
}

const verified = files ? await verifyLog() : undefined
const acknowledged = verified && openAcknowledgedPosition(input.folder, verified.position)
const server = await serveSessions({
  engine,
  path: input.socketPath,
  patience: input.patience,
  whenIdle: createUpkeep(engine),
  ...(files && acknowledged && { beforeResponse: () => acknowledged.store(files.endOfLog) }),
})

parentPort?.on('message', async (message) => {
  if (message !== CLOSE) return
  await server.close()
  await engine.close()
  acknowledged?.close()
  process.exit(0)
})
notify({ kind: 'ready', ...(verified?.loss !== undefined && { loss: verified.loss }) })
