import { describe, expect, it } from 'vitest'
import { nearest } from './redirect-difference'

describe('nearest', () => {
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
  ])('compares %s with %s and names the difference: %s', (received, registered, difference) => {
    expect(nearest(received, [registered])).toEqual({ uri: registered, difference })
  })

  it('chooses the most similar registered URL', () => {
    const registered = ['https://other.example/cb', 'http://app.example/other', 'https://app.example/cb']
    expect(nearest('https://app.example/cb/', registered)?.uri).toBe('https://app.example/cb')
    expect(nearest('https://app.example/cb', [])).toBeNull()
  })
})
