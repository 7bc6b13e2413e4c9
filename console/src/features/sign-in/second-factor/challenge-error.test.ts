import { expect, it } from 'vitest'
import { Problem } from '../../../api/problem'
import type { Challenge } from './challenge'
import { overAfter } from './challenge-error'

const waiting = (endsAt = Date.now() + 60_000): Challenge => ({
  token: 't',
  methods: ['TOTP'],
  endsAt,
  cleaned: undefined,
  otherTeams: undefined,
  email: undefined,
  wrongTries: 0,
})
const problem = (code: string) => new Problem({ code })

it('ends the sign-in after the fifth wrong answer', () => {
  const challenge = waiting()
  const results = [1, 2, 3, 4, 5].map(() => overAfter(challenge, problem('mfa_invalid')))
  expect(results).toEqual([null, null, null, null, 'tries'])
})

it('ends an expired sign-in, with the reason', () => {
  expect(overAfter(waiting(), problem('mfa_expired'))).toBe('over')
  expect(overAfter(waiting(Date.now() - 1), problem('mfa_expired'))).toBe('late')
})

it('keeps the sign-in during an outage or a rate limit, without counting an attempt', () => {
  const challenge = waiting()
  for (const code of ['unreachable', 'rate_limited', 'invalid_request']) {
    expect(overAfter(challenge, problem(code))).toBeNull()
  }
  expect(challenge.wrongTries).toBe(0)
})

it('ends a sign-in that is denied after a correct factor, with its error', () => {
  for (const [status, code] of [
    [403, 'sso_provider_changed'],
    [403, 'account_suspended'],
    [401, 'invalid_credentials'],
  ] as const) {
    const rejected = new Problem({ status, code })
    expect(overAfter(waiting(), rejected)).toBe(rejected)
  }
})

it('keeps the sign-in after an error of a proxy', () => {
  expect(overAfter(waiting(), new Problem({ status: 403 }))).toBeNull()
})
