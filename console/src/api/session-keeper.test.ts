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
  const sent: TabMessage[] = []
  const events: string[] = []
  const refresh = vi.fn(async () => outcomes.shift() ?? ({ kind: 'ended' } as const))
  const sleep = vi.fn(async (_: number) => {})
  const keeper = createSessionKeeper({
    refresh,
    exclusively: (work) => work(),
    notifyTabs: (message) => sent.push(message),
    now: () => clock.now,
    sleep,
  })
  keeper.listen((event) => events.push(event))
  return { keeper, refresh, sleep, clock, sent, events }
}

const ok = (token: string, userId?: string): RefreshOutcome => ({ kind: 'session', session: answer(token, userId) })

describe('restore', () => {
  it('sends one request for simultaneous calls', async () => {
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

  it('remembers that no user is signed in', async () => {
    const { keeper, refresh } = setUp()
    expect(await keeper.restore()).toBe(false)
    expect(await keeper.restore()).toBe(false)
    expect(refresh).toHaveBeenCalledTimes(1)
  })
})

describe('bearer', () => {
  it('uses the token while it is valid for more than a minute', async () => {
    const { keeper, refresh, clock } = setUp(ok('b'))
    keeper.accept(answer('a'))
    clock.now = 839_000
    expect(await keeper.bearer()).toEqual({ token: 'a' })
    clock.now = 841_000
    expect(await keeper.bearer()).toEqual({ token: 'b' })
    expect(refresh).toHaveBeenCalledTimes(1)
  })

  it('uses a token until it expires during an outage, and then keeps the session', async () => {
    const { keeper, clock } = setUp({ kind: 'unavailable' }, { kind: 'unavailable' })
    keeper.accept(answer('a'))
    clock.now = 890_000
    expect(await keeper.bearer()).toEqual({ token: 'a' })
    clock.now = 901_000
    expect(await keeper.bearer()).toBe('unavailable')
    expect(keeper.view()).not.toBeNull()
  })

  it('renews once when several calls are rejected with the same token', async () => {
    const { keeper, refresh } = setUp(ok('b'))
    keeper.accept(answer('a'))
    expect(await keeper.renewed('a')).toEqual({ token: 'b' })
    expect(await keeper.renewed('a')).toEqual({ token: 'b' })
    expect(refresh).toHaveBeenCalledTimes(1)
  })

  it('ends the session when the renewal is rejected', async () => {
    const { keeper } = setUp({ kind: 'ended' })
    keeper.accept(answer('a'))
    expect(await keeper.renewed('a')).toBe('ended')
    expect(keeper.view()).toBeNull()
  })
})

describe('end', () => {
  it('ignores a renewal that started before the sign-out', async () => {
    let arrive: (outcome: RefreshOutcome) => void = () => {}
    const keeper = createSessionKeeper({
      refresh: () =>
        new Promise((resolve) => {
          arrive = resolve
        }),
      exclusively: (work) => work(),
      notifyTabs: () => {},
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

  it('signs out other tabs and notifies their pages', () => {
    const one = setUp()
    const other = setUp()
    one.keeper.accept(answer('a'))
    other.keeper.accept(answer('b'))
    one.keeper.end()
    other.keeper.hear(one.sent.at(-1) as TabMessage)
    expect(other.keeper.view()).toBeNull()
    expect(other.events).toEqual(['signed-out'])
  })
})

describe('messages of another tab', () => {
  it('removes the session when the tab signs in as another user', () => {
    const { keeper, events } = setUp()
    keeper.accept(answer('a', 'ada'))
    keeper.hear({ type: 'signed-in', userId: 'bob' })
    expect(keeper.view()).toBeNull()
    expect(events).toEqual(['user-changed'])
  })

  it('keeps the session when the tab signs in as the same user', () => {
    const { keeper, events } = setUp()
    keeper.accept(answer('a', 'ada'))
    keeper.hear({ type: 'signed-in', userId: 'ada' })
    expect(keeper.view()?.user.id).toBe('ada')
    expect(events).toEqual([])
  })

  it('restores the session on a sign-in page', async () => {
    const { keeper, events } = setUp({ kind: 'ended' }, ok('a'))
    await keeper.restore()
    keeper.hear({ type: 'signed-in', userId: 'ada' })
    expect(events).toEqual(['signed-in'])
    expect(await keeper.restore()).toBe(true)
  })

  it('detects another user at the next renewal after sleep', async () => {
    const { keeper, events } = setUp(ok('b', 'bob'))
    keeper.accept(answer('a', 'ada'))
    await keeper.renewed('a')
    expect(events).toEqual(['user-changed'])
  })

  it('omits tokens from all messages', () => {
    const { keeper, sent } = setUp()
    keeper.accept(answer('secret-token'))
    keeper.end()
    expect(JSON.stringify(sent)).not.toContain('secret-token')
  })
})
