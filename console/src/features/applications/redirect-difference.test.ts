import { describe, expect, it } from 'vitest'
import { nearest } from './redirect-difference'

describe('an address that is not registered', () => {
  it.each([
    ['https://app.example/cb/', 'https://app.example/cb', 'slash'],
    ['https://app.example', 'https://app.example/', 'slash'],
    ['http://app.example/cb', 'https://app.example/cb', 'scheme'],
    ['https://www.app.example/cb', 'https://app.example/cb', 'host'],
    ['http://127.0.0.1:3000/cb', 'http://localhost:3000/cb', 'loopback'],
    ['http://localhost:3001/cb', 'http://localhost:3000/cb', 'port'],
    ['https://app.example/Callback', 'https://app.example/callback', 'case'],
    ['https://APP.example/cb', 'https://app.example/cb', 'case'],
    ['https://app.example/cb?next=1', 'https://app.example/cb', 'query'],
    ['https://app.example/callback', 'https://app.example/cb', 'path'],
    ['nonsense', 'https://app.example/cb', 'path'],
    ['https://app.example/cb', 'https://app.example/cb', 'none'],
  ])('%s differs from %s by its %s', (received, registered, difference) => {
    expect(nearest(received, [registered])).toEqual({ uri: registered, difference })
  })

  it('is compared with the one that is most like it', () => {
    const registered = ['https://other.example/cb', 'http://app.example/other', 'https://app.example/cb']
    expect(nearest('https://app.example/cb/', registered)?.uri).toBe('https://app.example/cb')
    expect(nearest('https://app.example/cb', [])).toBeNull()
  })
})
