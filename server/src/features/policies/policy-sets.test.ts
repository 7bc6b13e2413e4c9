import { describe, expect, it } from 'vitest'
import type { Database, Transaction } from '../../platform/db/database.js'
import type { TeamId } from '../../platform/ids.js'
import { createPolicySets } from './policy-sets.js'

/** A database whose reads the test completes, each with a version. */
function slowReads() {
  const reads: ((version: number, policies?: number, length?: number) => void)[] = []
  const run = () =>
    new Promise((resolve) => {
      reads.push((version, policies = 0, length = 0) => {
        const none = { version, id: null }
        const rows = Array.from({ length: policies }, (_, index) => ({
          version,
          id: `p${index}`,
          name: 'P',
          effect: 'ALLOW',
          priority: 0,
          createdAt: new Date(0),
          resource: `r/${index}`,
          actions: ['*'],
          conditions: { k: 'x'.repeat(length) },
          enabled: true,
        }))
        resolve(rows.length > 0 ? rows : [none])
      })
    })
  return { reads, sets: createPolicySets({ db: { run } as unknown as Database }) }
}

const team = (name: string | number) => `team-${name}` as TeamId

describe('compiled policies', () => {
  it('reads policies once for concurrent callers with the same version', async () => {
    const { reads, sets } = slowReads()
    const requested = Array.from({ length: 50 }, () => sets.of(team(1), 7))
    expect(reads).toHaveLength(1)
    reads[0]?.(7)
    expect(new Set(await Promise.all(requested)).size).toBe(1)
    await sets.of(team(1), 7)
    expect(reads).toHaveLength(1)
  })

  it('shares no outdated read with a caller that requires a later version', async () => {
    const { reads, sets } = slowReads()
    const early = sets.of(team(1), 7)
    const late = sets.of(team(1), 8)
    expect(reads).toHaveLength(2)
    reads[1]?.(8, 2)
    expect((await late).all).toHaveLength(2)
    // The late, older result does not replace the newer one, which also serves the caller of the older version.
    reads[0]?.(7, 1)
    expect((await early).all).toHaveLength(2)
    expect((await sets.of(team(1), 8)).all).toHaveLength(2)
    expect(reads).toHaveLength(2)
  })

  it('reads policies again after a failed read', async () => {
    let calls = 0
    const run = async () => {
      if (calls++ === 0) throw new Error('away')
      return [{ version: 1, id: null }]
    }
    const sets = createPolicySets({ db: { run } as unknown as Database })
    await expect(sets.of(team(1), 1)).rejects.toThrow('away')
    expect((await sets.of(team(1), 1)).all).toEqual([])
  })

  it('caches policies of the most recently requested teams', async () => {
    const { reads, sets } = slowReads()
    const request = async (name: number, policies = 1) => {
      const before = reads.length
      const requested = sets.of(team(name), 1)
      const read = reads.length > before
      if (read) reads.at(-1)?.(1, policies)
      await requested
      return read
    }
    for (let name = 0; name < 1_000; name++) await request(name)
    expect(await request(0)).toBe(false)
    expect(await request(1_000)).toBe(true)
    // The least recently used one was removed, and the one requested again stayed.
    expect(await request(0)).toBe(false)
    expect(await request(1)).toBe(true)
  })

  it("reads policies again for a caller who waited for another caller's failed read", async () => {
    const broken = { run: () => Promise.reject(new Error('lost')) }
    const sound = { run: async () => [{ version: 1, hasPolicies: true, id: null }] }
    const stateThen = (rows: { run: () => Promise<unknown[]> }): Transaction => {
      let reads = 0
      return { run: () => (reads++ === 0 ? sound : rows).run() } as unknown as Transaction
    }
    const sets = createPolicySets({ db: sound as unknown as Database })
    const [first, second] = await Promise.allSettled([
      sets.signOn(stateThen(broken), team(1)),
      sets.signOn(stateThen(sound), team(1)),
    ])
    expect(first).toMatchObject({ status: 'rejected', reason: new Error('lost') })
    expect(second.status).toBe('fulfilled')
  })

  it('limits access and sign-in policies together to 32 MiB', async () => {
    const { reads, sets } = slowReads()
    const large = Array.from({ length: 200 }, (_, index) => ({
      version: 1,
      hasPolicies: true,
      id: `p${index}`,
      effect: 'ALLOW',
      priority: 0,
      createdAt: new Date(0),
      resource: '*',
      actions: ['*'],
      conditions: { k: 'x'.repeat(16_000) },
      rules: [],
      enabled: true,
    }))
    const tx = { run: async () => large } as unknown as Transaction
    const request = async (name: string) => {
      const before = reads.length
      const requested = sets.of(team(name), 1)
      const read = reads.length > before
      if (read) reads.at(-1)?.(1, 1)
      await requested
      return read
    }
    expect(await request('access')).toBe(true)
    for (let name = 0; name < 9; name++) await sets.signOn(tx, team(name))
    expect(await request('access')).toBe(false)
    for (let name = 9; name < 20; name++) await sets.signOn(tx, team(name))
    expect(await request('access')).toBe(true)
  })

  it('limits policies of all teams together to 32 MiB', async () => {
    const { reads, sets } = slowReads()
    const request = async (name: number) => {
      const before = reads.length
      const requested = sets.of(team(name), 1)
      const read = reads.length > before
      if (read) reads.at(-1)?.(1, 200, 16_000)
      await requested
      return read
    }
    for (let name = 0; name < 11; name++) expect(await request(name)).toBe(true)
    expect(await request(10)).toBe(false)
    expect(await request(1)).toBe(false)
    expect(await request(0)).toBe(true)
  })
})
