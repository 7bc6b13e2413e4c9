import { describe, expect, it } from 'vitest'
import { firstAcceptedStep, matchingStep, newTotpSecret, totpUrl } from './index.js'

/** RFC 6238 appendix B: the secret "12345678901234567890" in base32, and the last six of its eight digits. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const VECTORS: [seconds: number, code: string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
]

describe('a time-based one-time password (RFC 6238)', () => {
  it.each(VECTORS)('has the value of the RFC at %i seconds: %s', (seconds, code) => {
    expect(matchingStep(SECRET, code, seconds * 1_000)).toBe(Math.floor(seconds / 30))
  })

  it('matches its own step from one step early to one step late only', () => {
    const at = 1_234_567_890_000
    const step = Math.floor(at / 30_000)
    for (const drift of [-1, 0, 1]) expect(matchingStep(SECRET, '005924', at + drift * 30_000)).toBe(step)
    for (const drift of [-3, -2, 2, 3]) expect(matchingStep(SECRET, '005924', at + drift * 30_000)).toBeUndefined()
    expect(firstAcceptedStep(at)).toBe(step - 1)
  })

  it('has a unique secret of 160 bits', () => {
    const secrets = Array.from({ length: 50 }, newTotpSecret)
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(new Set(secrets).size).toBe(50)
  })

  it('has a valid URL for any names', () => {
    const address = new URL(totpUrl(SECRET, { issuer: 'Acme: "Ünïcode" & Co', account: 'a+b@example.com' }))
    expect(address.protocol + address.host).toBe('otpauth:totp')
    expect(decodeURIComponent(address.pathname)).toBe('/Acme  "Ünïcode" & Co:a+b@example.com')
    expect(address.searchParams.get('issuer')).toBe('Acme  "Ünïcode" & Co')
    expect(address.searchParams.get('secret')).toBe(SECRET)
  })
})
