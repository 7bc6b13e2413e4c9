import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A further node of a service, in a process of its own. */
export interface SecondNode {
  port: number
  moveClock(offset: number): Promise<void>
  stop(): Promise<void>
}

type Act = { act: 'start'; env: Record<string, string> } | { act: 'stop' } | { act: 'move'; offset: number }

/** Processes whose node was stopped: the next one starts in one of them, with the program loaded and warm. */
const idle: ChildProcess[] = []

/** Starts a node on `env`. @throws Error with the cause when it does not start */
export async function startSecondNode(env: Record<string, string>): Promise<SecondNode> {
  const child = idle.pop() ?? fork(fileURLToPath(new URL('./second-node.mjs', import.meta.url)))
  const { port } = (await tell(child, { act: 'start', env })) as { port: number }
  return {
    port,
    moveClock: async (offset) => void (await tell(child, { act: 'move', offset })),
    async stop() {
      await tell(child, { act: 'stop' })
      idle.push(child)
    },
  }
}

/** Sends a message and waits for its answer. @throws Error when the process fails at it, or ends instead */
async function tell(child: ChildProcess, message: Act): Promise<unknown> {
  const gaveUp = new AbortController()
  const ended = once(child, 'exit', { signal: gaveUp.signal }).then(([code]) => {
    throw new Error(`The second node ended with ${code}`)
  })
  const heard = once(child, 'message', { signal: gaveUp.signal })
  child.send(message)
  try {
    const [answer] = (await Promise.race([heard, ended])) as [{ failure?: string }]
    if (answer.failure) throw new Error(`The second node failed: ${answer.failure}`)
    return answer
  } finally {
    gaveUp.abort()
    await Promise.allSettled([heard, ended])
  }
}
