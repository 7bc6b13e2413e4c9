import { describe, expect, it } from 'vitest'
import type { ScimRequest, ScimToken } from '../../../api/contract'
import { awaitedToken, firstRequestBy, pollInterval } from './awaited-token'

const token = (id: string, over: Partial<ScimToken> = {}): ScimToken => ({
  id,
  name: id,
  prefix: 'kwscim_1234567',
  createdBy: { id: 'u', email: 'a@example.com' },
  createdAt: '2030-01-01T00:00:00.000Z',
  expiresAt: null,
  lastUsedAt: null,
  status: 'active',
  ...over,
})
const request = (id: string, tokenId: string | null): ScimRequest => ({
  id,
  createdAt: '2030-01-01T00:00:00.000Z',
  method: 'GET',
  path: '/Users',
  status: 200,
  scimType: null,
  detail: null,
  token: tokenId === null ? null : { id: tokenId, name: tokenId },
})

describe('the first request of a directory', () => {
  it('awaits the newest active token that was never used', () => {
    const used = token('used', { lastUsedAt: '2030-01-02T00:00:00.000Z' })
    const revoked = token('revoked', { status: 'revoked' })
    expect(awaitedToken([revoked, used, token('new'), token('old')], [])?.id).toBe('new')
    expect(awaitedToken([revoked, used], [])).toBeUndefined()
    expect(awaitedToken([], [])).toBeUndefined()
  })

  it('ends the wait with a request of this token only', () => {
    expect(awaitedToken([token('new')], [request('2', 'other'), request('1', null)])?.id).toBe('new')
    expect(awaitedToken([token('new')], [request('1', 'new')])).toBeUndefined()
  })

  it('returns the oldest listed request of the token', () => {
    const requests = [request('3', 'new'), request('2', 'new'), request('1', 'other')]
    expect(firstRequestBy('new', requests)?.id).toBe('2')
    expect(firstRequestBy('none', requests)).toBeUndefined()
  })

  it('polls every second at first and every five seconds at last', () => {
    expect([0, 5_000, 10_000, 30_000, 50_000, 3_600_000].map(pollInterval)).toEqual([
      1000, 1000, 1000, 3000, 5000, 5000,
    ])
  })
})
