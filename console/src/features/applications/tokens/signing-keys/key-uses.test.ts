import { expect, it } from 'vitest'
import type { SigningKey } from '../../../../api/contract'
import { usesOf } from './key-uses'

const key: SigningKey = {
  id: 'k',
  kid: 'k',
  algorithm: 'ES256',
  isDefault: false,
  useForAccessTokens: false,
  hasCertificate: false,
  createdAt: '2026-01-01T00:00:00Z',
}

it('uses the default key for all tokens unless another one is marked for access tokens', () => {
  const standard = { ...key, isDefault: true }
  const marked = { ...key, id: 'm', useForAccessTokens: true }
  expect(usesOf(standard, [standard, key])).toEqual(['id', 'access'])
  expect(usesOf(key, [standard, key])).toEqual([])
  expect(usesOf(standard, [standard, marked])).toEqual(['id'])
  expect(usesOf(marked, [standard, marked])).toEqual(['access'])
  const retired = { ...marked, retiredAt: '2026-02-01T00:00:00Z' }
  expect(usesOf(retired, [standard, retired])).toEqual([])
  expect(usesOf(standard, [standard, retired])).toEqual(['id', 'access'])
})
