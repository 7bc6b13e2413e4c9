import { describe, expect, it } from 'vitest'
import { isLongAccess, policyChanges, wrongLifetimes } from './lifetimes-form'

const policy = {
  accessTokenLifetime: 3600,
  idTokenLifetime: 3600,
  refreshTokenLifetime: 2_592_000,
  reuseInterval: 30,
  rotationEnabled: true,
  updatedAt: '2026-01-01T00:00:00Z',
}
const untouched = {
  accessTokenLifetime: '1 h',
  idTokenLifetime: '1 h',
  refreshTokenLifetime: '30 d',
  reuseInterval: '30 s',
  rotationEnabled: 'on',
}

describe('lifetimes of tokens', () => {
  it('that were not touched change nothing', () => {
    expect(wrongLifetimes(untouched)).toEqual({})
    expect(policyChanges(policy, untouched)).toEqual({})
  })

  it('are sent in seconds, those alone that were changed', () => {
    const values = { ...untouched, accessTokenLifetime: '15 min', reuseInterval: '0', rotationEnabled: '' }
    expect(policyChanges(policy, values)).toEqual({
      accessTokenLifetime: 900,
      reuseInterval: 0,
      rotationEnabled: false,
    })
  })

  it('outside of what the service takes are told before they are sent', () => {
    const values = {
      ...untouched,
      accessTokenLifetime: '59 s',
      idTokenLifetime: '366 d',
      refreshTokenLifetime: 'long',
      reuseInterval: '61 min',
    }
    expect(wrongLifetimes(values)).toEqual({
      accessTokenLifetime: 'Between 1 min and 365 d.',
      idTokenLifetime: 'Between 1 min and 365 d.',
      refreshTokenLifetime: 'Write a time such as 15 min, 8 h or 30 d.',
      reuseInterval: 'Between 0 s and 1 h.',
    })
  })

  it('of access tokens above a day are long', () => {
    expect(['24 h', '1 d', 'nonsense', '86401', '25 h'].map(isLongAccess)).toEqual([false, false, false, true, true])
  })
})
