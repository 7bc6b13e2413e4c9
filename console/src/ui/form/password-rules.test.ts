import { describe, expect, it } from 'vitest'
import { judgePassword, managerRules, sentenceOf } from './password-rules'

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
  judgePassword(password, policy)
    .filter(({ met }) => !met)
    .map(({ words }) => words)

describe('the rules of a password, as they tick themselves off', () => {
  it('are those of the policy', () => {
    expect(judgePassword('', LAX)).toHaveLength(1)
    expect(judgePassword('', STRICT)).toHaveLength(5)
    expect(broken('A password of 2026!')).toEqual([])
    expect(broken('short')).toHaveLength(4)
  })

  it('count length as the service does', () => {
    expect(broken('🐎'.repeat(7), LAX)).toHaveLength(1)
    expect(broken('🐎'.repeat(8), LAX)).toEqual([])
    expect(broken('ﬁ'.repeat(4), LAX)).toEqual([])
  })

  it('are told to password managers', () => {
    expect(managerRules(LAX)).toBe('minlength: 8;')
    expect(managerRules(STRICT)).toBe(
      'minlength: 12; required: upper; required: lower; required: digit; required: special;',
    )
  })
})

describe('what the service says of a field', () => {
  it('is a sentence, for a rule of passwords too', () => {
    const path = '/newPassword'
    expect(sentenceOf({ path, rule: 'history', message: 'must differ from the last 5 passwords' })).toBe(
      'The password must differ from the last 5 passwords.',
    )
    expect(sentenceOf({ path, message: 'Enter a name.' })).toBe('Enter a name.')
  })
})
