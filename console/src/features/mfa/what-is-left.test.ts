import { describe, expect, it } from 'vitest'
import type { Factor } from '../../api/contract'
import { whatIsLeft, workingFactors } from './what-is-left'

let made = 0
function factor(type: Factor['type'], changes: Partial<Factor> = {}): Factor {
  made += 1
  const createdAt = '2026-01-01T00:00:00Z'
  const common = { id: `f${made}`, name: 'One', verified: true, enabled: true, createdAt, lastUsedAt: null }
  return { ...common, type, ...changes } as Factor
}

describe('what is left after a factor is removed', () => {
  const phone = factor('TOTP')
  const laptop = factor('PASSKEY')
  const codes = factor('BACKUP_CODE')

  it('names the others', () => {
    const methods = [phone, laptop, factor('PASSKEY'), codes]
    expect(whatIsLeft(methods, phone, true)).toBe('What is left: 2 passkeys.')
    expect(whatIsLeft(methods, laptop, true)).toBe('What is left: 1 passkey and 1 authenticator app.')
  })

  it('is no factor, but what opens the account, after the last one: backup codes do not count', () => {
    expect(whatIsLeft([phone, codes], phone, true)).toContain('your password and links by email')
    expect(whatIsLeft([phone, codes], phone, false)).toContain(': links by email')
  })

  it('does not count what was begun and never confirmed', () => {
    const waiting = factor('TOTP', { verified: false, enabled: false })
    expect(workingFactors([phone, waiting, codes])).toEqual([phone])
    expect(whatIsLeft([phone, waiting], phone, true)).toContain('your last second factor')
  })
})
