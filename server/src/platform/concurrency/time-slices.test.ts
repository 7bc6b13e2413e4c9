import { describe, expect, it } from 'vitest'
import { runInSlices } from './time-slices.js'

/** Each step runs longer than a slice. */
function* longWork(name: string, steps: number, log: string[]): Generator<undefined, string> {
  for (let step = 0; step < steps; step++) {
    for (const end = performance.now() + 11; performance.now() < end; );
    log.push(name)
    yield
  }
  return name
}

describe('work in time slices', () => {
  it('yields to other work between two steps, also with several tasks at once', async () => {
    const log: string[] = []
    let running = true
    const others = () => {
      log.push('others')
      if (running) setImmediate(others)
    }
    const work = Promise.all(['a', 'b', 'c'].map((name) => runInSlices(longWork(name, 4, log))))
    setImmediate(others)
    expect(await work).toEqual(['a', 'b', 'c'])
    running = false
    // The first step of each runs at once: its duration is not known yet.
    const afterwards = log.join(' ').split('others')
    expect(afterwards[0]?.trim()).toBe('a b c')
    for (const between of afterwards.slice(1)) expect(['', 'a', 'b', 'c']).toContain(between.trim())
  })

  it('completes short work synchronously', async () => {
    let rounds = 0
    const count = () => {
      rounds++
    }
    setImmediate(count)
    const short = function* (): Generator<undefined, number> {
      yield
      return 7
    }
    expect([await runInSlices(short()), rounds]).toEqual([7, 0])
  })

  it('rejects with the error of a step and continues the waiting work', async () => {
    const failing = function* (): Generator<undefined, never> {
      yield* longWork('x', 1, [])
      throw new Error('wrong')
    }
    const [failed, done] = await Promise.allSettled([runInSlices(failing()), runInSlices(longWork('y', 3, []))])
    expect([failed.status, done.status]).toEqual(['rejected', 'fulfilled'])
  })
})
