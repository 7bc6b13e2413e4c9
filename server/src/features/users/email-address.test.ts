import { describe, expect, it } from 'vitest'
import { normalizeEmail } from './email-address.js'

describe('normalizeEmail', () => {
  it.each([
    [' Ada@Example.COM ', 'ada@example.com'],
    ['ada@ａda.example', 'ada@ada.example'],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
    ["o'brien+news@mail.example.org", "o'brien+news@mail.example.org"],
    ['Jose\u0301@example.com', 'jos\u00e9@example.com'],
    ['root@localhost', 'root@localhost'],
  ])('converts %j to %j', (text, email) => {
    expect(normalizeEmail(text)).toBe(email)
  })

  it.each([
    '',
    'ada',
    '@example.com',
    'ada@',
    'ada@exa mple.com',
    'ada@example.com, eve@example.com',
    'ada@example.com\r\nBcc: eve@example.com',
    '"ada"@example.com',
    'Ada <ada@example.com>',
    '.ada@example.com',
    'ada.@example.com',
    'a..da@example.com',
    'ada@example..com',
    'ada@-example.com',
    'ada@example.com.',
    'ada@127.0.0.1',
    'ada@127.1',
    'ada@[::1]',
    'ada@exa/mple.com',
    'ada@%65xample.com',
    'a\u202eda@example.com',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'a'.repeat(250)}.com`,
  ])('rejects %j', (text) => {
    expect(() => normalizeEmail(text)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  })
})
