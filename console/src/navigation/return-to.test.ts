import { describe, expect, it } from 'vitest'
import { safeReturn } from './return-to'

describe('safeReturn', () => {
  it.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil',
    'https://evil.example',
    'javascript:alert(1)',
    'account',
    '',
    '/\t/evil.example',
    '/\n/evil',
  ])('rejects %j', (returnTo) => {
    expect(safeReturn(returnTo)).toBe('/')
  })

  it.each(['/', '/account', '/t/acme?x=1#y', '/a//b'])('follows %j', (returnTo) => {
    expect(safeReturn(returnTo)).toBe(returnTo)
    expect(new URL(safeReturn(returnTo), 'https://us.example').origin).toBe('https://us.example')
  })
})
