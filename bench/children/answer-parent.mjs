// Commands that every measured process runs for its parent: reporting its processor time and memory, and taking a profile.
import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'

/** Returns the processor time of the main thread in µs, without thread pool, workers and garbage collector threads. Linux only. */
function mainThreadMicros() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000
  } catch {
    return null
  }
}

const profiler = new Session()

const common = {
  usage() {
    const { user, system } = process.cpuUsage()
    // The system reports the peak in KiB.
    const peak = process.resourceUsage().maxRSS * 1_024
    return { micros: user + system, mainMicros: mainThreadMicros(), rss: process.memoryUsage().rss, peak }
  },
  async startProfile() {
    profiler.connect()
    await profiler.post('Profiler.enable')
    await profiler.post('Profiler.setSamplingInterval', { interval: 200 })
    await profiler.post('Profiler.start')
  },
  async stopProfile() {
    const { profile } = await profiler.post('Profiler.stop')
    profiler.disconnect()
    return profile
  },
}

/** Replies to `{ id, command, input }` with `{ id, result }` or `{ id, error }`. The process ends with its parent. */
export function serveParent(commands = {}) {
  const known = { ...common, ...commands }
  process.on('disconnect', () => process.exit(0))
  process.on('message', async ({ id, command, input }) => {
    try {
      process.send({ id, result: (await known[command](input)) ?? null })
    } catch (error) {
      process.send({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  })
}
