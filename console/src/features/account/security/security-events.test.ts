import { describe, expect, it } from 'vitest'
import { collapse, type Event } from './collapse-events'
import { isSuspicious } from './suspicious-events'

const event = (id: string, ipAddress: string, action: Event['action'] = 'user.login') =>
  ({ id, action, ipAddress, result: 'SUCCESS', createdAt: `2026-01-01T00:00:0${id}.000Z` }) as Event

describe('collapse', () => {
  it('combines only events that follow each other and differ in nothing but their time', () => {
    const rows = collapse([
      event('6', '192.0.2.1'),
      event('5', '192.0.2.1'),
      event('4', '192.0.2.9'),
      event('3', '192.0.2.1'),
      event('2', '192.0.2.1', 'user.logout'),
    ])
    expect(rows.map((row) => row.map(({ id }) => id))).toEqual([['6', '5'], ['4'], ['3'], ['2']])
  })
})

describe('isSuspicious', () => {
  it('marks a copied passkey and a reused token, but no sign-in', () => {
    expect(isSuspicious('factor.clone_suspected')).toBe(true)
    expect(isSuspicious('session.refresh_reused')).toBe(true)
    expect(isSuspicious('user.login')).toBe(false)
  })
})
