import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A further node of a service, in a process of its own. */
export interface SecondNode {
  port: number
  moveClock(offset: number): Promise<void>
  stop(): Promise<void>
}

type Act =
  | { act: 'start'; env: Record<string, string>; realHashing: boolean }
  | { act: 'stop' }
  | { act: 'move'; offset: number }

/** Processes whose node was stopped: the next one starts in one of them, with the program loaded and warm. */
const idle: ChildProcess[] = []

/** Starts a node on `env`. @throws Error with the cause when it does not start */
export async function startSecondNode(env: Record<string, string>, realHashing = false): Promise<SecondNode> {
  const child = idle.pop() ?? fork(fileURLToPath(new URL('./second-node.mjs', import.meta.url)))
  const { port } = (await notify(child, { act: 'start', env, realHashing })) as { port: number }
  let stopping: Promise<unknown> | undefined
  return {
    port,
    moveClock: async (offset) => void (await notify(child, { act: 'move', offset })),
    async stop() {
      stopping ??= notify(child, { act: 'stop' }).then(() => idle.push(child))
      await stopping
    },
  }
}

let lastId = 0

/** Sends a message and waits for its answer. @throws Error when the process fails at it, or ends instead */
function notify(child: ChildProcess, message: Act): Promise<unknown> {
  const id = ++lastId
  return new Promise((resolve, reject) => {
    const done = () => child.off('message', hear).off('exit', ended)
    const hear = (answer: { id: number; failure?: string }) => {
      if (answer.id !== id) return
      done()
      if (answer.failure) reject(new Error(`The second node failed: ${answer.failure}`))
      else resolve(answer)
    }
    const ended = (code: number | null) => {
      done()
      reject(new Error(`The second node ended with ${code}`))
    }
    child.on('message', hear).on('exit', ended)
    if (child.exitCode !== null || !child.connected) ended(child.exitCode)
    else child.send({ id, ...message })
  })
}
