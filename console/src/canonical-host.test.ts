import { expect, it } from 'vitest'
import { judgeHost } from './canonical-host'

const configured = 'http://localhost:3000'

it('leaves the configured host alone', () => {
  expect(judgeHost('http://localhost:3000/login', configured)).toEqual({ kind: 'fine' })
})

it.each(['http://127.0.0.1:3000', 'http://[::1]:3000'])(
  'sends %s, another spelling of loopback, on with its path and query',
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
])('explains itself on %s instead of showing a form that cannot work', (origin) => {
  expect(judgeHost(`${origin}/login`, configured)).toEqual({ kind: 'foreign', expected: configured })
})
