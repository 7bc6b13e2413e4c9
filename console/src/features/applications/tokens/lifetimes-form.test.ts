import { getDotPath, safeParse } from 'valibot'
import { describe, expect, it } from 'vitest'
import { isLongAccess, lifetimesOf, lifetimesSchema, policyChanges } from './lifetimes-form'

const policy = {
  accessTokenLifetime: 3600,
  idTokenLifetime: 3600,
  refreshTokenLifetime: 2_592_000,
  reuseInterval: 30,
  rotationEnabled: true,
  updatedAt: '2026-01-01T00:00:00Z',
}
const untouched = lifetimesOf(policy)

const faults = (values: typeof untouched) =>
  Object.fromEntries(
    (safeParse(lifetimesSchema, values).issues ?? []).map((issue) => [getDotPath(issue), issue.message]),
  )

describe('token lifetimes', () => {
  it('sends no unchanged lifetimes', () => {
    expect(faults(untouched)).toEqual({})
    expect(policyChanges(policy, untouched)).toEqual({})
  })

  it('sends changed lifetimes in seconds', () => {
    const values = { ...untouched, accessTokenLifetime: '15 min', reuseInterval: '0', rotationEnabled: false }
    expect(policyChanges(policy, values)).toEqual({
      accessTokenLifetime: 900,
      reuseInterval: 0,
      rotationEnabled: false,
    })
  })

  it('rejects lifetimes outside of the limits', () => {
    const values = {
      ...untouched,
      accessTokenLifetime: '59 s',
      idTokenLifetime: '366 d',
      refreshTokenLifetime: 'long',
      reuseInterval: '61 min',
    }
    expect(faults(values)).toEqual({
      accessTokenLifetime: 'Enter a duration from 1 min to 365 d.',
      idTokenLifetime: 'Enter a duration from 1 min to 365 d.',
      refreshTokenLifetime: 'Enter a duration, such as 15 min, 8 h or 30 d.',
      reuseInterval: 'Enter a duration from 0 s to 1 h.',
    })
  })

  it('treats more than a day as a long lifetime of access tokens', () => {
    expect(['24 h', '1 d', 'nonsense', '86401', '25 h'].map(isLongAccess)).toEqual([false, false, false, true, true])
  })
})
