import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startService, type TestService } from '../../../test/harness/service.js'
import { HOUR, MINUTE, SECOND } from '../clock.js'
import type { TeamId } from '../ids.js'
import { createLogger } from '../log.js'
import { createMetrics } from '../metrics/metrics.js'
import { createJobs, type JobKind, type Jobs } from './jobs.js'

describe('jobs', () => {
  let service: TestService
  let lines: string[]
  beforeAll(async () => {
    service = await startService({ nodes: 1 })
  })
  afterAll(() => service.close())

  /** Creates a worker beside the service's own, on the same table, for its own kinds only. */
  function worker(...kinds: JobKind[]): Jobs {
    lines = []
    const log = createLogger({ logLevel: 'info' }, { write: (line) => void lines.push(line) })
    const jobs = createJobs({ db: service.db, clock: service.clock, log, metrics: createMetrics(), parallel: 2 })
    for (const kind of kinds) jobs.register(kind)
    return jobs
  }
  const enqueue = (jobs: Jobs, kind: string, payload = {}) =>
    service.db.transaction((tx) => jobs.enqueue(tx, kind, payload))
  const rowsOf = (kind: string) =>
    service.sql('SELECT attempts, failed_at, last_error FROM jobs WHERE kind = $1', [kind])

  it('stores a job if and only if its transaction commits', async () => {
    const done: unknown[] = []
    const jobs = worker({ kind: 'test.commit', run: async (payload) => void done.push(payload) })
    const failing = service.db.transaction(async (tx) => {
      await jobs.enqueue(tx, 'test.commit', { n: 1 })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await enqueue(jobs, 'test.commit', { n: 2 })
    await jobs.drain()
    expect(done).toEqual([{ n: 2 }])
    expect(await rowsOf('test.commit')).toEqual([])
  })

  it('runs each job once with two concurrent workers', async () => {
    const done: unknown[] = []
    const kind = { kind: 'test.once', run: async ({ n }: Record<string, unknown>) => void done.push(n) }
    const [one, two] = [worker(kind), worker(kind)]
    for (let n = 0; n < 50; n++) await enqueue(one, 'test.once', { n })
    await Promise.all([one.drain(), two.drain()])
    expect(done.sort((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 50 }, (_, n) => n))
  })

  it('occupies no worker with jobs that wait for third parties, and respects their own limit', async () => {
    let [now, most] = [0, 0]
    const others: unknown[] = []
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const waits: JobKind = {
      kind: 'test.aside',
      aside: true,
      concurrency: 3,
      run: async () => {
        most = Math.max(most, ++now)
        await released
        now--
      },
    }
    const jobs = worker(waits, {
      kind: 'test.beside',
      run: async ({ n }) => {
        others.push(n)
        if (others.length === 5) release()
      },
    })
    for (let n = 0; n < 5; n++) await enqueue(jobs, 'test.aside')
    for (let n = 0; n < 5; n++) await enqueue(jobs, 'test.beside', { n })
    await jobs.drain()
    expect(others).toHaveLength(5)
    expect(most).toBe(3)
    expect(await rowsOf('test.aside')).toEqual([])
  })

  it('runs jobs round-robin by team, oldest first within a team, after those without a team', async () => {
    const done: unknown[] = []
    const run: JobKind['run'] = async ({ n }) => void done.push(n)
    const jobs = worker(
      { kind: 'test.turns', aside: true, concurrency: 1, perTeam: 1, run },
      { kind: 'test.no_team', aside: true, concurrency: 1, run },
    )
    const [a, b, c] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}` as TeamId)
    for (const [team, n] of [
      [a, 'a1'],
      [a, 'a2'],
      [a, 'a3'],
      [c, 'c1'],
      [c, 'c2'],
      [b, 'b1'],
    ] as const) {
      await service.db.transaction((tx) => jobs.enqueue(tx, 'test.turns', { n }, team))
      await service.clock.advance(1)
    }
    await enqueue(jobs, 'test.no_team', { n: 'none' })
    await jobs.drain()
    expect(done).toEqual(['none', 'a1', 'b1', 'c1', 'a2', 'c2', 'a3'])
    await expect(enqueue(jobs, 'test.turns')).rejects.toThrow('belong to a team')
  })

  it('respects the limit per team, even if jobs hang', async () => {
    const [hangs, other] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as TeamId[]
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let [hanging, most] = [0, 0]
    const others: unknown[] = []
    const jobs = worker({
      kind: 'test.per_team',
      aside: true,
      concurrency: 3,
      perTeam: 2,
      run: async ({ n }) => {
        if (n !== undefined) {
          others.push(n)
          if (others.length === 5) release()
          return
        }
        most = Math.max(most, ++hanging)
        await released
        hanging--
      },
    })
    for (let n = 0; n < 5; n++) await service.db.transaction((tx) => jobs.enqueue(tx, 'test.per_team', {}, hangs))
    for (let n = 0; n < 5; n++) await service.db.transaction((tx) => jobs.enqueue(tx, 'test.per_team', { n }, other))
    await jobs.start()
    await jobs.drain()
    await jobs.stop()
    expect([others.length, most]).toEqual([5, 2])
    expect(await rowsOf('test.per_team')).toEqual([])
  })

  it('leaves jobs of an unknown kind to another node', async () => {
    const knows = worker({ kind: 'test.new', run: async () => {} })
    await enqueue(knows, 'test.new')
    await worker({ kind: 'test.old', run: async () => {} }).drain()
    expect(await rowsOf('test.new')).toMatchObject([{ attempts: 0 }])
    await knows.drain()
    expect(await rowsOf('test.new')).toEqual([])
  })

  it('retries after increasing pauses and finally gives up', async () => {
    let tries = 0
    const secret = 'hunter2'
    const jobs = worker({
      kind: 'test.fails',
      attempts: 3,
      run: async () => {
        tries++
        throw new Error('not now')
      },
    })
    await enqueue(jobs, 'test.fails', { password: secret })
    for (const [pause, expected] of [
      [0, 1],
      [4, 1],
      [2, 2],
      [8, 2],
      [3, 3],
      [3600 * 24, 3],
    ] as const) {
      await service.clock.advance(pause * SECOND)
      await jobs.drain()
      expect(tries).toBe(expected)
    }
    expect(await rowsOf('test.fails')).toMatchObject([
      { attempts: 3, failed_at: expect.any(Date), last_error: 'Error' },
    ])
    expect(lines.join()).toContain('a job was given up')
    expect(lines.join()).not.toContain(secret)
  })

  it('moves a job from a crashed node to another when the lease expires, and not before', async () => {
    const runs: string[] = []
    const crashed = worker({ kind: 'test.lease', run: () => new Promise(() => void runs.push('crashed')) })
    const running = worker({ kind: 'test.lease', run: async () => void runs.push('running') })
    await enqueue(crashed, 'test.lease')
    void crashed.drain()
    while (runs.length === 0) await new Promise((resume) => setTimeout(resume, 5))
    await running.drain()
    await service.clock.advance(MINUTE)
    await running.drain()
    expect(runs).toEqual(['crashed'])
    await service.clock.advance(MINUTE + SECOND)
    await running.drain()
    expect(runs).toEqual(['crashed', 'running'])
    expect(await rowsOf('test.lease')).toEqual([])
  })

  it('uses the lease of the kind of the job', async () => {
    const runs: string[] = []
    const forEver = (kind: string, leaseMs?: number): JobKind => ({
      kind,
      ...(leaseMs && { leaseMs }),
      run: () => new Promise(() => void runs.push(kind)),
    })
    const crashed = worker(forEver('test.short'), forEver('test.long', HOUR))
    const finish = (kind: string) => ({ kind, run: async () => void runs.push(`${kind} again`) })
    const running = worker(finish('test.short'), finish('test.long'))
    for (const kind of ['test.short', 'test.long']) {
      await enqueue(crashed, kind)
      void crashed.drain()
      while (!runs.includes(kind)) await new Promise((resume) => setTimeout(resume, 5))
    }
    await service.clock.advance(2 * MINUTE + SECOND)
    await running.drain()
    expect(runs).toEqual(['test.short', 'test.long', 'test.short again'])
    await service.clock.advance(HOUR)
    await running.drain()
    expect(runs.at(-1)).toBe('test.long again')
  })

  it('gives up without another try after repeated crashes of the node', async () => {
    const runs: number[] = []
    const given: unknown[] = []
    const kind = (run: JobKind['run']): JobKind => ({
      kind: 'test.deadly',
      attempts: 3,
      run,
      onGivenUp: async (_, payload) => void given.push(payload),
    })
    const deadly = () => worker(kind(() => new Promise(() => void runs.push(runs.length))))
    await enqueue(deadly(), 'test.deadly', { n: 1 })
    for (let node = 1; node <= 3; node++) {
      void deadly().drain()
      while (runs.length < node) await new Promise((resume) => setTimeout(resume, 5))
      await service.clock.advance(3 * MINUTE)
    }
    for (let again = 0; again < 2; again++) {
      await worker(kind(async () => void runs.push(99))).drain()
      await service.clock.advance(HOUR)
    }
    expect(runs).toEqual([0, 1, 2])
    expect(given).toEqual([{ n: 1 }])
    expect(await rowsOf('test.deadly')).toEqual([
      { attempts: 3, failed_at: expect.any(Date), last_error: 'NodeCrashed' },
    ])
  })

  it('runs onGivenUp in the transaction that gives the job up', async () => {
    let broken = true
    const given: unknown[] = []
    const jobs = worker({
      kind: 'test.given',
      attempts: 1,
      run: async () => {
        throw new Error('never')
      },
      onGivenUp: async (tx, payload) => {
        await jobs.enqueue(tx, 'test.afterwards', payload)
        given.push(payload)
        if (broken) throw new Error('not now')
      },
    })
    await enqueue(jobs, 'test.given', { n: 1 })
    await expect(jobs.drain()).rejects.toThrow('not now')
    expect(await rowsOf('test.given')).toMatchObject([{ failed_at: null }])
    expect(await rowsOf('test.afterwards')).toEqual([])
    broken = false
    await service.clock.advance(3 * MINUTE)
    await jobs.drain()
    expect(await rowsOf('test.given')).toMatchObject([{ attempts: 1, failed_at: expect.any(Date) }])
    expect(await rowsOf('test.afterwards')).toHaveLength(1)
    expect(given).toHaveLength(2)
  })

  it.each([
    ['every five seconds', 5 * SECOND, MINUTE],
    ['every ten minutes', 10 * MINUTE, 10 * MINUTE],
    ['every day', 24 * HOUR, HOUR],
  ])('repeats %s again soon after the end of a long failure', async (name, every, pause) => {
    let broken = true
    let runs = 0
    const kind = `test.faulty ${name}`
    const jobs = worker({
      kind,
      every,
      run: async () => {
        runs++
        if (broken) throw new Error('broken')
      },
    })
    await jobs.start()
    try {
      for (let failure = 0; failure < 15; failure++) {
        await jobs.drain()
        await service.clock.advance(HOUR)
      }
      await jobs.drain()
      broken = false
      const before = runs
      await service.clock.advance(pause - SECOND)
      await jobs.drain()
      expect(runs).toBe(before)
      await service.clock.advance(SECOND)
      await jobs.drain()
      expect(runs).toBe(before + 1)
      expect(await rowsOf(kind)).toEqual([{ attempts: 0, failed_at: null, last_error: null }])
    } finally {
      await jobs.stop()
    }
  })

  it('repeats a recurring job once per period across all nodes and continues after a failure', async () => {
    let runs = 0
    let broken = false
    const kind = {
      kind: 'test.recurring',
      every: HOUR,
      run: async () => {
        runs++
        if (broken) throw new Error('broken')
      },
    }
    const nodes = [worker(kind), worker(kind), worker(kind)]
    const drain = () => Promise.all(nodes.map((node) => node.drain()))
    for (const node of nodes) await node.start()
    try {
      await drain()
      expect(runs).toBe(1)
      for (let hour = 2; hour <= 5; hour++) {
        await service.clock.advance(HOUR)
        await drain()
        await drain()
        expect(runs).toBe(hour)
      }
      broken = true
      for (let failure = 0; failure < 20; failure++) {
        await service.clock.advance(HOUR)
        await drain()
      }
      broken = false
      await service.clock.advance(HOUR)
      const before = runs
      await drain()
      expect(runs).toBe(before + 1)
      expect(await rowsOf('test.recurring')).toEqual([{ attempts: 0, failed_at: null, last_error: null }])
    } finally {
      await Promise.all(nodes.map((node) => node.stop()))
    }
  })

  it('completes running jobs when the node stops, and starts no other', async () => {
    const done: unknown[] = []
    let finish: (() => void) | undefined
    const jobs = worker({
      kind: 'test.stop',
      run: async ({ n }) => {
        await new Promise<void>((resolve) => {
          finish = resolve
        })
        done.push(n)
      },
    })
    for (const n of [1, 2]) await enqueue(jobs, 'test.stop', { n })
    await jobs.start()
    // The row is leased before this process has received it.
    await vi.waitFor(() => expect(finish).toBeDefined())
    const stopped = jobs.stop()
    finish?.()
    await stopped
    expect(done).toEqual([1])
    expect(await rowsOf('test.stop')).toHaveLength(1)
  })
})
