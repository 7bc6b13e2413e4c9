import { expect, it } from 'vitest'
import type { SsoSignIn } from '../../../api/contract'
import { ssoWords } from '../../../words'
import { whoOf } from './subject-of'

const who = (attributes: SsoSignIn['attributes']) => whoOf({ attributes } as SsoSignIn)

it('a sign-in is about the address, else about the subject of either protocol', () => {
  const mapped = { email: 'ann@acme.example' }
  expect(who({ mapped, received: { sub: 's-1', NameID: 'n-1' } })).toBe('ann@acme.example')
  expect(who({ received: { sub: 's-1' } })).toBe('s-1')
  expect(who({ received: { NameID: 'n-1' } })).toBe('n-1')
  expect(who({})).toBe(ssoWords.somebody)
})
