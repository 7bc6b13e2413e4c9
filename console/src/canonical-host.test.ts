import { expect, it } from 'vitest'
import { judgeHost } from './canonical-host'

const configured = 'http://localhost:3000'

it('accepts the configured host', () => {
  expect(judgeHost('http://localhost:3000/login', configured)).toEqual({ kind: 'fine' })
})

it.each(['http://127.0.0.1:3000', 'http://[::1]:3000'])(
  'redirects %s, another spelling of loopback, with path and query',
  (origin) => {
    expect(judgeHost(`${origin}/auth/verify?token=x#y`, configured)).toEqual({
      kind: 'redirect',
      to: 'http://localhost:3000/auth/verify?token=x#y',
    })
  },
)

it.each([
  'http://localhost:8080',
  'https://localhost:3000',
  'http://192.168.1.5:3000',
  'http://localhost.evil.example:3000',
])('returns foreign on %s', (origin) => {
  expect(judgeHost(`${origin}/login`, configured)).toEqual({ kind: 'foreign', expected: configured })
})
