import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** An additional node of a service, in a separate process. */
export interface SecondNode {
  port: number
  moveClock(offset: number): Promise<void>
  /** Waits for all log lines that the node has written. */
  flushLog(): Promise<void>
  stop(): Promise<void>
}

type Act =
  | { act: 'start'; env: Record<string, string>; realHashing: boolean }
  | { act: 'stop' }
  | { act: 'move'; offset: number }
  | { act: 'flush' }

const PROGRAM = fileURLToPath(new URL('./second-node.mjs', import.meta.url))

/** The Node of the second nodes. The gate sets the machine's, so that two versions run on one database. */
const execPath = process.env.KEYWARD_TEST_SECOND_NODE ?? process.execPath

/** Processes whose node has stopped. The next node reuses one, with the program already loaded. */
const idle: ChildProcess[] = []

/**
 * Starts a node with `env`.
 * @param onLogLine gets each line of its log
 * @throws Error with the cause if it does not start
 */
export async function startSecondNode(
  env: Record<string, string>,
  onLogLine: (line: string) => void,
  realHashing = false,
): Promise<SecondNode> {
  const child = idle.pop() ?? fork(PROGRAM, { execPath, execArgv: [] })
  const onMessage = ({ line }: { line?: string }) => void (line !== undefined && onLogLine(line))
  child.on('message', onMessage)
  const { port } = (await notify(child, { act: 'start', env, realHashing })) as { port: number }
  let stopping: Promise<unknown> | undefined
  return {
    port,
    moveClock: async (offset) => void (await notify(child, { act: 'move', offset })),
    flushLog: async () => void (await notify(child, { act: 'flush' })),
    async stop() {
      stopping ??= notify(child, { act: 'stop' }).then(() => idle.push(child.off('message', onMessage)))
      await stopping
    },
  }
}

let lastId = 0

/** Sends a message and waits for the reply. @throws Error if the process reports a failure or exits */
function notify(child: ChildProcess, message: Act): Promise<unknown> {
  const id = ++lastId
  return new Promise((resolve, reject) => {
    const done = () => child.off('message', onMessage).off('exit', ended)
    const onMessage = (answer: { id: number; failure?: string }) => {
      if (answer.id !== id) return
      done()
      if (answer.failure) reject(new Error(`The second node failed: ${answer.failure}`))
      else resolve(answer)
    }
    const ended = (code: number | null) => {
      done()
      reject(new Error(`The second node exited with ${code}`))
    }
    child.on('message', onMessage).on('exit', ended)
    if (child.exitCode !== null || !child.connected) ended(child.exitCode)
    else child.send({ id, ...message })
  })
}
