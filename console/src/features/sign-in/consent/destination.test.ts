import { describe, expect, it } from 'vitest'
import scopes from '../../../messages/en/scopes.json'
import { destination } from './destination'

describe('destination', () => {
  it.each([
    ['https://shop.example/cb?x=1', 'shop.example'],
    ['https://shop.example:8443/cb', 'shop.example:8443'],
    // Unicode look-alikes are shown in Punycode.
    ['https://аpple.example/cb', 'xn--pple-43d.example'],
    ['http://localhost:4000/cb', 'a program on this computer (localhost:4000)'],
    ['http://127.0.0.1:4000/cb', 'a program on this computer (127.0.0.1:4000)'],
    ['http://[::1]:4000/cb', 'a program on this computer ([::1]:4000)'],
    ['com.example.app:/cb', 'an app on this device (com.example.app:)'],
    ['nonsense', 'nonsense'],
  ])('shows %s as %s', (redirectUri, shown) => {
    expect(destination(redirectUri)).toBe(shown)
  })
})

describe('messages of scopes', () => {
  it('names a standard scope', () => {
    expect(scopes.title({ scope: 'email' })).toBe('Your email address')
    expect(scopes.title({ scope: 'offline_access' })).toContain('while you’re away')
  })

  it.each(['orders:read', '', 'constructor', '__proto__', 'toString'])('returns nothing for the scope %j', (scope) => {
    expect(scopes.title({ scope })).toBe('')
  })
})
