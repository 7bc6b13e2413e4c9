import { describe, expect, it, vi } from 'vitest'

vi.stubGlobal('location', { href: 'https://id.example/auth/sso/callback' })
const { readCallback } = await import('./callback')
const read = (query: string, secrets = {}) => readCallback(new URLSearchParams(query), secrets)

describe('the result of a sign-in via a provider', () => {
  it('returns the token of a session, for browsers without cookies', () => {
    expect(read('', { token: 't' })).toEqual({ kind: 'session', token: 't' })
    expect(read('')).toEqual({ kind: 'session', token: undefined })
  })

  it('returns a challenge with the known methods', () => {
    expect(read('mfaMethods=TOTP+SMS+BACKUP_CODE&mfaExpiresAt=2030-01-01T00:00:00Z', { mfaToken: 'm' })).toEqual({
      kind: 'challenge',
      answer: { mfaRequired: true, mfaToken: 'm', mfaMethods: ['TOTP', 'BACKUP_CODE'] },
    })
  })

  it('returns an error, also from a URL that contains a token', () => {
    expect(read('error=sso_token_invalid&requestId=0199aaaa-bbbb-7ccc-8ddd-eeeeffff0000', { token: 't' })).toEqual({
      kind: 'refused',
      code: 'sso_token_invalid',
      requestId: '0199aaaa-bbbb-7ccc-8ddd-eeeeffff0000',
    })
  })

  it('returns a pending session without a token', () => {
    expect(read('pending=1')).toEqual({ kind: 'pending' })
  })

  it('returns the run of a test', () => {
    expect(read('test=r&provider=p')).toEqual({ kind: 'test', providerId: 'p', runId: 'r' })
    expect(read('test=r')).toEqual({ kind: 'session', token: undefined })
  })
})
