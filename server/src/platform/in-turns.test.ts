import { describe, expect, it } from 'vitest'
import { inTurns } from './in-turns.js'

/** Each step works until the clock shows that it took longer than a turn. */
function* longWork(name: string, steps: number, log: string[]): Generator<undefined, string> {
  for (let step = 0; step < steps; step++) {
    for (const end = performance.now() + 11; performance.now() < end; );
    log.push(name)
    yield
  }
  return name
}

describe('long work', () => {
  it('lets the rest of the service have a turn between two steps, however much of it there is at once', async () => {
    const log: string[] = []
    let going = true
    const others = () => {
      log.push('others')
      if (going) setImmediate(others)
    }
    const work = Promise.all(['a', 'b', 'c'].map((name) => inTurns(longWork(name, 4, log))))
    setImmediate(others)
    expect(await work).toEqual(['a', 'b', 'c'])
    going = false
    // The first step of each is done at once, as nobody knows yet that it is long.
    const afterwards = log.join(' ').split('others')
    expect(afterwards[0]?.trim()).toBe('a b c')
    for (const between of afterwards.slice(1)) expect(['', 'a', 'b', 'c']).toContain(between.trim())
  })

  it('that is short is done at once', async () => {
    let turns = 0
    const count = () => {
      turns++
    }
    setImmediate(count)
    const short = function* (): Generator<undefined, number> {
      yield
      return 7
    }
    expect([await inTurns(short()), turns]).toEqual([7, 0])
  })

  it('that fails fails, and what waits goes on', async () => {
    const failing = function* (): Generator<undefined, never> {
      yield* longWork('x', 1, [])
      throw new Error('wrong')
    }
    const [failed, done] = await Promise.allSettled([inTurns(failing()), inTurns(longWork('y', 3, []))])
    expect([failed.status, done.status]).toEqual(['rejected', 'fulfilled'])
  })
})
