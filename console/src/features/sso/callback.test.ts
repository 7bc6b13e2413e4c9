import { describe, expect, it, vi } from 'vitest'

vi.stubGlobal('location', { href: 'https://id.example/auth/sso/callback' })
const { readCallback } = await import('./callback')
const read = (query: string, secrets = {}) => readCallback(new URLSearchParams(query), secrets)

describe('the answer of a sign-in by a provider', () => {
  it('is a session, whose token is only kept for the case that there are no cookies', () => {
    expect(read('', { token: 't' })).toEqual({ kind: 'session', token: 't' })
    expect(read('')).toEqual({ kind: 'session', token: undefined })
  })

  it('is a challenge by methods that are known', () => {
    expect(read('mfaMethods=TOTP+SMS+BACKUP_CODE&mfaExpiresAt=2030-01-01T00:00:00Z', { mfaToken: 'm' })).toEqual({
      kind: 'challenge',
      answer: { mfaRequired: true, mfaToken: 'm', mfaMethods: ['TOTP', 'BACKUP_CODE'] },
    })
  })

  it('is a refusal, whatever else it brings', () => {
    expect(read('error=sso_token_invalid&requestId=req_1', { token: 't' })).toEqual({
      kind: 'refused',
      code: 'sso_token_invalid',
      requestId: 'req_1',
    })
  })

  it('is a session that waits for the user, and has no token', () => {
    expect(read('pending=1')).toEqual({ kind: 'pending' })
  })

  it('is the end of a test', () => {
    expect(read('test=r&provider=p')).toEqual({ kind: 'test', providerId: 'p', runId: 'r' })
    expect(read('test=r')).toEqual({ kind: 'session', token: undefined })
  })
})
