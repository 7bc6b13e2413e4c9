import type { CDPSession, Page } from 'playwright-core'

const CATEGORIES = ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata']

interface TraceEvent {
  name: string
  pid: number
  tid: number
  /** in µs */
  dur?: number
  args?: { name?: string }
}

/** Runs `act` and returns the longest task of the page's main thread meanwhile, in ms, from a trace of Chromium. */
export async function longestTask(page: Page, debug: CDPSession, act: () => Promise<unknown>): Promise<number> {
  const events: TraceEvent[] = []
  const collect = ({ value }: { value: unknown[] }) => events.push(...(value as TraceEvent[]))
  debug.on('Tracing.dataCollected', collect)
  await debug.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: CATEGORIES },
  })
  try {
    await act()
    // Waits for the tasks that the act has scheduled.
    await page.evaluate(() => new Promise((resume) => setTimeout(resume, 300)))
  } finally {
    const complete = new Promise((resume) => debug.once('Tracing.tracingComplete', resume))
    await debug.send('Tracing.end')
    await complete
    debug.off('Tracing.dataCollected', collect)
  }
  const mainThreads = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const tasks = events.filter(({ name, pid, tid }) => /RunTask$/.test(name) && mainThreads.has(`${pid} ${tid}`))
  return Math.max(0, ...tasks.map(({ dur = 0 }) => dur / 1_000))
}
