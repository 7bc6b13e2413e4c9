import { describe, expect, it } from 'vitest'
import { createSignInQueue } from './sign-in-queue.js'

describe('the sign-in queue', () => {
  it('runs two sign-ins of one account at a time, queues a few, and delays no other account', async () => {
    const turns = createSignInQueue(3)
    const ends: (() => void)[] = []
    let running = 0
    let isOver = false
    const work = async () => {
      running++
      if (!isOver) await new Promise<void>((end) => ends.push(end))
    }
    const taken = Array.from({ length: 6 }, () => turns.take('one', work))
    await expect(taken[5]).rejects.toMatchObject({ status: 429, code: 'rate_limited' })
    expect(running).toBe(2)
    const other = turns.take('other', work)
    await expect.poll(() => running).toBe(3)
    isOver = true
    for (const end of ends) end()
    await Promise.all([...taken.slice(0, 5), other])
    expect(running).toBe(6)
  })
})
