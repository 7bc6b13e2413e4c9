import { describe, expect, it } from 'vitest'
import { challengeOf, fromBase64url, randomText, toBase64url } from './pkce'

describe('PKCE', () => {
  it('returns the challenge of RFC 7636, appendix B', async () => {
    expect(await challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
      'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    )
  })

  it('creates distinct verifiers that the RFC allows', () => {
    const drawn = Array.from({ length: 50 }, randomText)
    expect(new Set(drawn).size).toBe(50)
    for (const verifier of drawn) expect(verifier).toMatch(/^[\w-]{43}$/)
  })

  it('decodes what it encodes', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
    expect(fromBase64url(toBase64url(bytes))).toEqual(bytes)
    expect(() => fromBase64url('a+b')).toThrow()
  })
})
