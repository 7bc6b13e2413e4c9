import { describe, expect, it } from 'vitest'
import { filterError } from './index.js'

describe('a search filter (RFC 4515)', () => {
  it.each([
    '(objectClass=user)',
    '(&(objectClass=user)(!(userAccountControl:1.2.840.113556.1.4.803:=2)))',
    '(|(cn=a*b*c)(cn>=a)(cn<=b)(cn~=c)(cn=*))',
    '(cn=Lee \\28Ann\\29 \\2a)',
    '(memberOf:1.2.840.113556.1.4.1941:=cn=all,dc=example,dc=com)',
  ])('accepts %s', (text) => {
    expect(filterError(text)).toBeUndefined()
  })

  it.each([
    '',
    'objectClass=user',
    '(objectClass=user',
    '(&(objectClass=user)',
    '(objectClass=user))',
    '(a=b)(c=d)',
    '(&)',
    '()',
    '(=b)',
    '(cn=\\zz)',
    '(cn=a\\)',
    `${'(!'.repeat(30)}(a=b)${')'.repeat(30)}`,
    `(cn=${'a'.repeat(2_001)})`,
  ])('rejects %s', (text) => {
    expect(filterError(text)).toBeDefined()
  })
})
