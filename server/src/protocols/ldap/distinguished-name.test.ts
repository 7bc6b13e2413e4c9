import { describe, expect, it } from 'vitest'
import { isDn, normalizeDn } from './index.js'

describe('a distinguished name (RFC 4514)', () => {
  it.each([
    ['the case of attributes and values', 'CN=Ann,DC=Example,DC=com', 'cn=ann,dc=example,dc=com'],
    ['white space around its parts', 'cn = Ann , dc= example', 'cn=ann,dc=example'],
    ['runs of spaces in a value', 'cn=Ann   Lee,dc=x', 'cn=ann lee,dc=x'],
    ['escapes by a backslash and by hexadecimal digits', 'cn=Lee\\, Ann,dc=x', 'cn=Lee\\2c Ann,dc=x'],
    [
      'letters by themselves and by hexadecimal digits',
      "CN=Ann O'Lee (x)/y,OU=A&B-1,DC=X",
      "cn=\\41nn O'Lee (x)/y,ou=\\41&B-1,dc=\\58",
    ],
    ['UTF-8 that is written byte by byte', 'cn=\\C3\\A4nn,dc=x', 'cn=änn,dc=x'],
    ['quotes of LDAPv2', 'cn="Lee, Ann",dc=x', 'cn=Lee\\, Ann,dc=x'],
    ['the order of the pairs of an RDN', 'cn=ann+uid=1,dc=x', 'uid=1+cn=ann,dc=x'],
    ['composed and decomposed letters', 'cn=a\u0308nn,dc=x', 'cn=änn,dc=x'],
    ['semicolons for commas', 'cn=ann;dc=x', 'cn=ann,dc=x'],
  ])('is the same whatever %s', (_, a, b) => {
    expect(normalizeDn(a)).toBeDefined()
    expect(normalizeDn(a)).toBe(normalizeDn(b))
  })

  it.each([
    ['one with an escaped comma, and one of two parts', 'cn=a\\,dc=x', 'cn=a,dc=x'],
    ['one with a plus in a value, and one of two pairs', 'cn=a\\+uid=1,dc=x', 'cn=a+uid=1,dc=x'],
    ['one with a backslash at the end of a value', 'cn=a\\\\,dc=x', 'cn=a\\,dc=x'],
  ])('is told apart: %s', (_, a, b) => {
    expect(normalizeDn(a)).not.toBe(normalizeDn(b))
  })

  it.each(['ann', '=ann', 'cn', 'cn=ann,', 'c n=ann', 'cn=ann\\', ',', 'cn=a,,dc=x'])('is not %j', (text) => {
    expect(isDn(text)).toBe(false)
  })

  it.each([
    ['white space at the end', 'cn=ann \t  ,dc=x', 'cn=ann,dc=x'],
    ['an escaped space at the end', 'cn=ann\\  ,dc=x', 'cn=ann\\20,dc=x'],
    ['a backslash before space at the end', 'cn=ann\\\\  ,dc=x', 'cn=ann\\5c,dc=x'],
    ['nothing but an escaped space', 'cn=\\ ,dc=x', 'cn=\\20,dc=x'],
  ])('is read with %s', (_, a, b) => {
    expect(normalizeDn(a)).toBeDefined()
    expect(normalizeDn(a)).toBe(normalizeDn(b))
  })

  it('takes as many steps as it has characters, whatever a stranger writes', () => {
    // The work of one that is read in a cube of its length has no end that a test would live to see.
    for (const part of [' ', '\\ ', '\\', '"', '+', '=', '#']) normalizeDn(`cn=a${part.repeat(8_000 / part.length)}x`)
    expect(normalizeDn(`cn=a${' '.repeat(8_000)}x`)).toBe('cn=a x')
  })

  it('is not compared beyond 8,192 characters', () => {
    expect(normalizeDn(`cn=${'a'.repeat(8_189)}`)).toBeDefined()
    expect(normalizeDn(`cn=${'a'.repeat(8_190)}`)).toBeUndefined()
  })

  it('is not the empty one, which names the server itself', () => {
    expect(normalizeDn('')).toBe('')
    expect(isDn('')).toBe(false)
  })

  it('is its own normal form', () => {
    for (const dn of ['cn=Lee\\, Ann+uid=\\#1,dc=\\"x\\"', 'cn=\\20a\\20,dc=x', '2.5.4.3=#0401FF,dc=x']) {
      const normal = normalizeDn(dn)
      expect(normal).toBeDefined()
      expect(normalizeDn(normal ?? '')).toBe(normal)
    }
  })
})
