import { describe, expect, it } from 'vitest'
import { followable } from './redirect-to'

describe('followable', () => {
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
    '/consent',
    '',
  ])('rejects %j', (redirectTo) => {
    expect(followable(redirectTo)).toBeNull()
  })

  it.each(['https://app.example/cb?code=1', 'http://127.0.0.1:4000/cb', 'com.example.app:/cb'])(
    'follows %j',
    (redirectTo) => {
      expect(followable(redirectTo)).toBe(redirectTo)
    },
  )
})
