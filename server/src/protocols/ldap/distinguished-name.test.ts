import { describe, expect, it } from 'vitest'
import { isDn, normalizeDn } from './index.js'

describe('a distinguished name (RFC 4514)', () => {
  it.each([
    ['the case of attributes and values', 'CN=Ann,DC=Example,DC=com', 'cn=ann,dc=example,dc=com'],
    ['whitespace around its parts', 'cn = Ann , dc= example', 'cn=ann,dc=example'],
    ['runs of spaces in a value', 'cn=Ann   Lee,dc=x', 'cn=ann lee,dc=x'],
    ['escapes with a backslash or hexadecimal digits', 'cn=Lee\\, Ann,dc=x', 'cn=Lee\\2c Ann,dc=x'],
    [
      'letters written literally or as hexadecimal digits',
      "CN=Ann O'Lee (x)/y,OU=A&B-1,DC=X",
      "cn=\\41nn O'Lee (x)/y,ou=\\41&B-1,dc=\\58",
    ],
    ['UTF-8 written as escaped bytes', 'cn=\\C3\\A4nn,dc=x', 'cn=änn,dc=x'],
    ['LDAPv2 quotes', 'cn="Lee, Ann",dc=x', 'cn=Lee\\, Ann,dc=x'],
    ['the order of the attributes of an RDN', 'cn=ann+uid=1,dc=x', 'uid=1+cn=ann,dc=x'],
    ['composed or decomposed letters', 'cn=a\u0308nn,dc=x', 'cn=änn,dc=x'],
    ['semicolons or commas', 'cn=ann;dc=x', 'cn=ann,dc=x'],
  ])('normalizes %s', (_, a, b) => {
    expect(normalizeDn(a)).toBeDefined()
    expect(normalizeDn(a)).toBe(normalizeDn(b))
  })

  it.each([
    ['an escaped comma from a separator', 'cn=a\\,dc=x', 'cn=a,dc=x'],
    ['an escaped plus from a separator', 'cn=a\\+uid=1,dc=x', 'cn=a+uid=1,dc=x'],
    ['an escaped backslash from an escaped comma', 'cn=a\\\\,dc=x', 'cn=a\\,dc=x'],
  ])('distinguishes %s', (_, a, b) => {
    expect(normalizeDn(a)).not.toBe(normalizeDn(b))
  })

  it.each(['ann', '=ann', 'cn', 'cn=ann,', 'c n=ann', 'cn=ann\\', ',', 'cn=a,,dc=x'])('rejects %j', (text) => {
    expect(isDn(text)).toBe(false)
  })

  it.each([
    ['trailing whitespace', 'cn=ann \t  ,dc=x', 'cn=ann,dc=x'],
    ['a trailing escaped space', 'cn=ann\\  ,dc=x', 'cn=ann\\20,dc=x'],
    ['a trailing escaped backslash before whitespace', 'cn=ann\\\\  ,dc=x', 'cn=ann\\5c,dc=x'],
    ['an escaped space as the whole value', 'cn=\\ ,dc=x', 'cn=\\20,dc=x'],
  ])('parses %s', (_, a, b) => {
    expect(normalizeDn(a)).toBeDefined()
    expect(normalizeDn(a)).toBe(normalizeDn(b))
  })

  it('parses arbitrary input in linear time', () => {
    // With cubic complexity, the test would not end.
    for (const part of [' ', '\\ ', '\\', '"', '+', '=', '#']) normalizeDn(`cn=a${part.repeat(8_000 / part.length)}x`)
    expect(normalizeDn(`cn=a${' '.repeat(8_000)}x`)).toBe('cn=a x')
  })

  it('accepts at most 8,192 characters', () => {
    expect(normalizeDn(`cn=${'a'.repeat(8_189)}`)).toBeDefined()
    expect(normalizeDn(`cn=${'a'.repeat(8_190)}`)).toBeUndefined()
  })

  it('normalizes the empty DN, but rejects it as a target, because it is the root DSE', () => {
    expect(normalizeDn('')).toBe('')
    expect(isDn('')).toBe(false)
  })

  it('remains unchanged when normalized again', () => {
    for (const dn of ['cn=Lee\\, Ann+uid=\\#1,dc=\\"x\\"', 'cn=\\20a\\20,dc=x', '2.5.4.3=#0401FF,dc=x']) {
      const normal = normalizeDn(dn)
      expect(normal).toBeDefined()
      expect(normalizeDn(normal ?? '')).toBe(normal)
    }
  })
})
