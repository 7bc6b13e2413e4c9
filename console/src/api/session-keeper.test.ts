import { describe, expect, it, vi } from 'vitest'
import type { OpenSession } from './contract'
import { createSessionKeeper, type RefreshOutcome, type TabMessage } from './session-keeper'

function answer(accessToken: string, userId = 'ada'): OpenSession {
  return {
    accessToken,
    expiresIn: 900,
    user: { id: userId, email: `${userId}@example.com`, firstName: null, lastName: null, teamId: 't1', role: 'OWNER' },
    team: { id: 't1', name: 'Team', slug: 'team', role: 'OWNER' },
  }
}

/** Creates a keeper whose service returns `outcomes` in order, and whose clock moves only when set. */
function setUp(...outcomes: RefreshOutcome[]) {
  const clock = { now: 0 }
  const told: TabMessage[] = []
  const events: string[] = []
  const refresh = vi.fn(async () => outcomes.shift() ?? ({ kind: 'ended' } as const))
  const sleep = vi.fn(async (_: number) => {})
  const keeper = createSessionKeeper({
    refresh,
    exclusively: (work) => work(),
    tellTabs: (message) => told.push(message),
    now: () => clock.now,
    sleep,
  })
  keeper.listen((event) => events.push(event))
  return { keeper, refresh, sleep, clock, told, events }
}

const ok = (token: string, userId?: string): RefreshOutcome => ({ kind: 'session', session: answer(token, userId) })

describe('opening a page', () => {
  it('asks the service once, however many ask at the same moment', async () => {
    const { keeper, refresh } = setUp(ok('a'))
    expect(await Promise.all([keeper.restore(), keeper.restore(), keeper.bearer()])).toEqual([
      true,
      true,
      { token: 'a' },
    ])
    expect(refresh).toHaveBeenCalledTimes(1)
  })

  it('waits through an outage instead of signing out', async () => {
    const { keeper, sleep } = setUp({ kind: 'unavailable' }, { kind: 'unavailable', retryAfter: 7 }, ok('a'))
    expect(await keeper.restore()).toBe(true)
    expect(sleep.mock.calls).toEqual([[1000], [7000]])
    expect(keeper.isWaiting()).toBe(false)
  })

  it('takes "nobody is signed in" for an answer, once', async () => {
    const { keeper, refresh } = setUp()
    expect(await keeper.restore()).toBe(false)
    expect(await keeper.restore()).toBe(false)
    expect(refresh).toHaveBeenCalledTimes(1)
  })
})

describe('a call', () => {
  it('uses the token as it is while more than a minute is left', async () => {
    const { keeper, refresh, clock } = setUp(ok('b'))
    keeper.accept(answer('a'))
    clock.now = 839_000
    expect(await keeper.bearer()).toEqual({ token: 'a' })
    clock.now = 841_000
    expect(await keeper.bearer()).toEqual({ token: 'b' })
    expect(refresh).toHaveBeenCalledTimes(1)
  })

  it('goes on with the last seconds of a token when the service cannot renew it, and does not sign out after them', async () => {
    const { keeper, clock } = setUp({ kind: 'unavailable' }, { kind: 'unavailable' })
    keeper.accept(answer('a'))
    clock.now = 890_000
    expect(await keeper.bearer()).toEqual({ token: 'a' })
    clock.now = 901_000
    expect(await keeper.bearer()).toBe('unavailable')
    expect(keeper.view()).not.toBeNull()
  })

  it('renews once when several calls were refused with the same token', async () => {
    const { keeper, refresh } = setUp(ok('b'))
    keeper.accept(answer('a'))
    expect(await keeper.renewed('a')).toEqual({ token: 'b' })
    expect(await keeper.renewed('a')).toEqual({ token: 'b' })
    expect(refresh).toHaveBeenCalledTimes(1)
  })

  it('learns from a refused renewal that the session is over', async () => {
    const { keeper } = setUp({ kind: 'ended' })
    keeper.accept(answer('a'))
    expect(await keeper.renewed('a')).toBe('ended')
    expect(keeper.view()).toBeNull()
  })
})

describe('signing out', () => {
  it('is not undone by a renewal that was already on its way', async () => {
    let arrive: (outcome: RefreshOutcome) => void = () => {}
    const keeper = createSessionKeeper({
      refresh: () =>
        new Promise((resolve) => {
          arrive = resolve
        }),
      exclusively: (work) => work(),
      tellTabs: () => {},
      now: () => 0,
      sleep: async () => {},
    })
    keeper.accept(answer('a'))
    const renewal = keeper.renewed('a')
    keeper.end()
    arrive(ok('b'))
    expect(await renewal).toBe('ended')
    expect(keeper.view()).toBeNull()
  })

  it('reaches the other tabs, which tell their pages', () => {
    const one = setUp()
    const other = setUp()
    one.keeper.accept(answer('a'))
    other.keeper.accept(answer('b'))
    one.keeper.end()
    other.keeper.hear(one.told.at(-1) as TabMessage)
    expect(other.keeper.view()).toBeNull()
    expect(other.events).toEqual(['signed-out'])
  })
})

describe('another tab', () => {
  it('that signs in as somebody else takes this one’s session and data away', () => {
    const { keeper, events } = setUp()
    keeper.accept(answer('a', 'ada'))
    keeper.hear({ type: 'signed-in', userId: 'bob' })
    expect(keeper.view()).toBeNull()
    expect(events).toEqual(['user-changed'])
  })

  it('that signs in again as the same person changes nothing here', () => {
    const { keeper, events } = setUp()
    keeper.accept(answer('a', 'ada'))
    keeper.hear({ type: 'signed-in', userId: 'ada' })
    expect(keeper.view()?.user.id).toBe('ada')
    expect(events).toEqual([])
  })

  it('that signs in lets a waiting sign-in page go on', async () => {
    const { keeper, events } = setUp({ kind: 'ended' }, ok('a'))
    await keeper.restore()
    keeper.hear({ type: 'signed-in', userId: 'ada' })
    expect(events).toEqual(['signed-in'])
    expect(await keeper.restore()).toBe(true)
  })

  it('that changed the person while this one slept is noticed at the next renewal', async () => {
    const { keeper, events } = setUp(ok('b', 'bob'))
    keeper.accept(answer('a', 'ada'))
    await keeper.renewed('a')
    expect(events).toEqual(['user-changed'])
  })

  it('never hears a token', () => {
    const { keeper, told } = setUp()
    keeper.accept(answer('secret-token'))
    keeper.end()
    expect(JSON.stringify(told)).not.toContain('secret-token')
  })
})
