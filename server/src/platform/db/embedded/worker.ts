import { parentPort, workerData } from 'node:worker_threads'
import { openEngine } from './engine.js'
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
  notify({ kind: 'crashed', reason })
  process.exit(1) // Ends this thread only.
}

const engine = await openEngine(input, crash)
const server = await serveSessions({
  engine,
  path: input.socketPath,
  patience: input.patience,
  whenIdle: createUpkeep(engine),
})

parentPort?.on('message', async (message) => {
  if (message !== CLOSE) return
  await server.close()
  await engine.close()
  process.exit(0)
})
notify({ kind: 'ready' })
