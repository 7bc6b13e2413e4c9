// What every measured process answers its parent: how much processor time and memory it has used, and a profile when asked.
import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'

/** Nanoseconds that the main thread alone was running: without the thread pool, worker threads and the collector's helpers. Linux only. */
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
    // The system counts the peak in KiB.
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

/** Answers `{ id, ask, input }` with `{ id, answer }` or `{ id, error }`; ends with the parent. */
export function answerParent(questions = {}) {
  const known = { ...common, ...questions }
  process.on('disconnect', () => process.exit(0))
  process.on('message', async ({ id, ask, input }) => {
    try {
      process.send({ id, answer: (await known[ask](input)) ?? null })
    } catch (error) {
      process.send({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  })
}
