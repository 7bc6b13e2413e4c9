import { describe, expect, it } from 'vitest'
import { scopeWords } from '../../words'
import { destination } from './destination'

describe('where an application takes the visitor', () => {
  it.each([
    ['https://shop.example/cb?x=1', 'shop.example'],
    ['https://shop.example:8443/cb', 'shop.example:8443'],
    // Unicode look-alikes show as what they are.
    ['https://аpple.example/cb', 'xn--pple-43d.example'],
    ['http://localhost:4000/cb', 'a program on this computer (localhost:4000)'],
    ['http://127.0.0.1:4000/cb', 'a program on this computer (127.0.0.1:4000)'],
    ['http://[::1]:4000/cb', 'a program on this computer ([::1]:4000)'],
    ['com.example.app:/cb', 'an app on this device (com.example.app:)'],
    ['nonsense', 'nonsense'],
  ])('%s reads %s', (redirectUri, words) => {
    expect(destination(redirectUri)).toBe(words)
  })
})

describe('a scope in words', () => {
  it('says what it opens', () => {
    expect(scopeWords('offline_access')?.text).toContain('while you are not using it')
    expect(scopeWords('email')?.title).toBe('See your email address')
  })

  it.each(['orders:read', '', 'constructor', '__proto__', 'toString'])('is left to its name when it is %j', (scope) => {
    expect(scopeWords(scope)).toBeUndefined()
  })
})
