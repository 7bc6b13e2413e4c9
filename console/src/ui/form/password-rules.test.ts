import { describe, expect, it } from 'vitest'
import { checkPassword, managerRules, sentenceOf } from './password-rules'

const LAX = {
  minLength: 8,
  requireUppercase: false,
  requireLowercase: false,
  requireNumbers: false,
  requireSymbols: false,
  maxAgeDays: 0,
  historyCount: 0,
}
const STRICT = {
  ...LAX,
  minLength: 12,
  requireUppercase: true,
  requireLowercase: true,
  requireNumbers: true,
  requireSymbols: true,
}

const broken = (password: string, policy = STRICT) =>
  checkPassword(password, policy)
    .filter(({ met }) => !met)
    .map(({ words }) => words)

describe('checkPassword', () => {
  it('returns the rules of the policy', () => {
    expect(checkPassword('', LAX)).toHaveLength(1)
    expect(checkPassword('', STRICT)).toHaveLength(5)
    expect(broken('A password of 2026!')).toEqual([])
    expect(broken('short')).toHaveLength(4)
  })

  it('counts length like the service', () => {
    expect(broken('🐎'.repeat(7), LAX)).toHaveLength(1)
    expect(broken('🐎'.repeat(8), LAX)).toEqual([])
    expect(broken('ﬁ'.repeat(4), LAX)).toEqual([])
  })

  it('describes the policy for password managers', () => {
    expect(managerRules(LAX)).toBe('minlength: 8;')
    expect(managerRules(STRICT)).toBe(
      'minlength: 12; required: upper; required: lower; required: digit; required: special;',
    )
  })
})

describe('sentenceOf', () => {
  it('returns a sentence, also for a password rule', () => {
    const path = '/newPassword'
    expect(sentenceOf({ path, rule: 'history', message: 'must differ from the last 5 passwords' })).toBe(
      'The password must differ from the last 5 passwords.',
    )
    expect(sentenceOf({ path, message: 'Enter a name.' })).toBe('Enter a name.')
  })
})
