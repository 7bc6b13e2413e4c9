import { describe, expect, it } from 'vitest'
import { followable } from './redirect-to'
import { safeReturn } from './return-to'

describe('a return path never leaves this origin', () => {
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
  ])('refuses %j', (returnTo) => {
    expect(safeReturn(returnTo)).toBe('/')
  })

  it.each(['/', '/account', '/t/acme?x=1#y', '/a//b'])('follows %j', (returnTo) => {
    expect(safeReturn(returnTo)).toBe(returnTo)
    expect(new URL(safeReturn(returnTo), 'https://us.example').origin).toBe('https://us.example')
  })
})

describe('a redirect of the service never runs in our own name', () => {
  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:1',
    'java\nscript:1',
    'data:text/html,x',
    'vbscript:x',
    'blob:https://us/x',
    'file:///etc',
    'nonsense',
  ])('refuses %j', (redirectTo) => {
    expect(followable(redirectTo)).toBeNull()
  })

  it.each(['https://app.example/cb?code=1', 'http://127.0.0.1:4000/cb', 'com.example.app:/cb'])(
    'follows %j',
    (redirectTo) => {
      expect(followable(redirectTo)).toBe(redirectTo)
    },
  )
})
