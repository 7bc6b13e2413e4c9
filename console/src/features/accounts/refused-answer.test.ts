import { expect, it } from 'vitest'
import { Problem } from '../../api/problem'
import type { Challenge } from './challenge'
import { overAfter } from './refused-answer'

const waiting = (endsAt = Date.now() + 60_000): Challenge => ({
  token: 't',
  methods: ['TOTP'],
  endsAt,
  cleaned: undefined,
  otherTeams: undefined,
  wrongTries: 0,
})
const refusal = (code: string) => new Problem({ code })

it('a sign-in is over after the fifth wrong answer, and not before', () => {
  const challenge = waiting()
  const verdicts = [1, 2, 3, 4, 5].map(() => overAfter(challenge, refusal('mfa_invalid')))
  expect(verdicts).toEqual([null, null, null, null, 'tries'])
})

it('a sign-in that the service ended is over, late or not', () => {
  expect(overAfter(waiting(), refusal('mfa_expired'))).toBe('over')
  expect(overAfter(waiting(Date.now() - 1), refusal('mfa_expired'))).toBe('late')
})

it('an outage or a brake ends no sign-in and counts as no try', () => {
  const challenge = waiting()
  for (const code of ['unreachable', 'rate_limited', 'invalid_request']) {
    expect(overAfter(challenge, refusal(code))).toBeNull()
  }
  expect(challenge.wrongTries).toBe(0)
})

it('a sign-in that the service refuses behind a right factor is over, and says why', () => {
  for (const [status, code] of [
    [403, 'sso_provider_changed'],
    [403, 'account_suspended'],
    [401, 'invalid_credentials'],
  ] as const) {
    const refused = new Problem({ status, code })
    expect(overAfter(waiting(), refused)).toBe(refused)
  }
})

it('what something in between refuses ends no sign-in', () => {
  expect(overAfter(waiting(), new Problem({ status: 403 }))).toBeNull()
})
