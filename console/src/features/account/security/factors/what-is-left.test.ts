import { describe, expect, it } from 'vitest'
import type { Factor } from '../../../../api/contract'
import { whatIsLeft, workingFactors } from './what-is-left'

let made = 0
function factor(type: Factor['type'], changes: Partial<Factor> = {}): Factor {
  made += 1
  const createdAt = '2026-01-01T00:00:00Z'
  const common = { id: `f${made}`, name: 'One', verified: true, enabled: true, createdAt, lastUsedAt: null }
  return { ...common, type, ...changes } as Factor
}

describe('whatIsLeft', () => {
  const phone = factor('TOTP')
  const laptop = factor('PASSKEY')
  const codes = factor('BACKUP_CODE')

  it('names the other factors', () => {
    const methods = [phone, laptop, factor('PASSKEY'), codes]
    expect(whatIsLeft(methods, phone, true)).toBe('Remaining methods: 2 passkeys.')
    expect(whatIsLeft(methods, laptop, true)).toBe('Remaining methods: 1 passkey and 1 authenticator app.')
  })

  it('names the sign-in methods after the last factor, without backup codes', () => {
    expect(whatIsLeft([phone, codes], phone, true)).toContain('your password or a link by email')
    expect(whatIsLeft([phone, codes], phone, false)).toContain('sign in with a link by email')
  })

  it('ignores a factor that was never confirmed', () => {
    const waiting = factor('TOTP', { verified: false, enabled: false })
    expect(workingFactors([phone, waiting, codes])).toEqual([phone])
    expect(whatIsLeft([phone, waiting], phone, true)).toContain('This is your last two-step method.')
  })
})
