import { describe, expect, it } from 'vitest'
import { ada, ENTERPRISE_USER, rejectionOf } from '../../../../test/factories/scim-bodies.js'
import { leafOf, matches, parseFilter } from '../index.js'

const USER = ada({ externalId: 'Ada-1', title: 'Count', x509Certificates: [{ value: 'TUlJ' }] })
const finds = (filter: string) => matches(parseFilter('User', filter), USER)

describe('a filter (RFC 7644 section 3.4.2.2)', () => {
  it.each([
    'userName eq "ADA@example.com"',
    'USERNAME Eq "ada@example.com"',
    'userName sw "ada@"',
    'userName ew ".COM"',
    'userName co "@"',
    'userName gt "aaa"',
    'userName ge "ada@example.com" and userName le "ada@example.com"',
    'title lt "D"',
    'id eq "u-ada"',
    'externalId eq "Ada-1"',
    'active eq true',
    'active eq "True"',
    'active ne false',
    'title pr',
    'name pr',
    'name.familyName eq "byron"',
    'nickName eq null',
    'title ne null',
    'name ne null',
    'nickName ne "x"',
    'emails eq "ada@home.example"',
    'emails.type eq "home"',
    'emails[type eq "work" and value co "@example"]',
    'emails[primary eq "True"]',
    'emails[not (type eq "home")] and emails[type eq "home"]',
    'not (title eq "x")',
    'title eq "x" or title pr and active eq true',
    '(title eq "x" or title pr) and active eq true',
    'meta.lastModified gt "2026-10-31T00:00:00Z"',
    'meta.lastModified eq "2026-11-01T11:00:00.000+01:00"',
    'meta.lastModified le "2026-11-01T10:00:00"',
    'meta.resourceType eq "User"',
    `schemas eq "${ENTERPRISE_USER}"`,
    `${ENTERPRISE_USER}:department eq "engines"`,
    `${ENTERPRISE_USER.toLowerCase()}:DEPARTMENT pr`,
    'urn:ietf:params:scim:schemas:core:2.0:User:userName pr',
    'x509Certificates.value eq "TUlJ"',
    '  title   pr  ',
  ])('matches the user: %s', (filter) => {
    expect(finds(filter)).toBe(true)
  })

  it.each([
    'externalId eq "ada-1"',
    'active eq false',
    'nickName pr',
    'nickName sw ""',
    'nickName le "x"',
    'title eq null',
    'title gt "d"',
    'emails[type eq "work" and value co "@home"]',
    'emails.type ne "home"',
    'not (title pr)',
    '(title eq "x" or title pr) and active eq false',
    'title eq "x" and active eq false or nickName pr',
    'meta.lastModified lt "2026-11-01T10:00:00Z"',
    `${ENTERPRISE_USER}:manager pr`,
    `${ENTERPRISE_USER}:manager eq "u"`,
    'addresses.locality eq "x"',
  ])('excludes the user: %s', (filter) => {
    expect(finds(filter)).toBe(false)
  })

  it('parses JSON strings literally, including SQL and filter syntax', () => {
    for (const text of [`'; DROP TABLE users; --`, '%', '_', '\\', 'a\\', '" or userName pr or "', '\u2028', '🦊']) {
      const filter = parseFilter('User', `userName eq ${JSON.stringify(text)}`)
      expect(filter).toMatchObject({ op: 'eq', value: text })
      expect(matches(filter, { userName: text })).toBe(true)
      expect(matches(filter, USER)).toBe(false)
    }
    expect(parseFilter('User', 'title eq "\\u0041\\n"')).toMatchObject({ value: 'A\n' })
  })

  it('resolves attributes to their canonical names and types', () => {
    const filter = parseFilter('User', `${ENTERPRISE_USER.toUpperCase()}:MANAGER.VALUE eq "x"`)
    if (filter.op !== 'eq') throw new Error(filter.op)
    expect(filter.target).toMatchObject({ path: `${ENTERPRISE_USER}:manager.value`, extension: ENTERPRISE_USER })
    expect(leafOf(filter.target)).toMatchObject({ type: 'string', caseExact: false })
    expect(parseFilter('Group', 'members[value eq "u" and $ref pr]')).toMatchObject({
      op: '[]',
      target: { path: 'members' },
      filter: { filters: [{ target: { path: 'members.value' } }, { target: { path: 'members.$ref' } }] },
    })
  })

  it.each([
    '',
    ' ',
    'title',
    'title eq',
    'title eq eq',
    'title eq title',
    'title pr title pr',
    'title eq "a" title eq "b"',
    'title eq "a" and',
    'title eq "a" or or title pr',
    'and title pr',
    'title eq "a',
    "title eq 'a'",
    'title eq "\\x"',
    'title eq "\\u0000"',
    'title eq "\\ud800"',
    'title eq "a\nb"',
    'title eq 7',
    'title eq true',
    'title co null',
    'title is "a"',
    '"title" eq "a"',
    '(title pr',
    'title pr)',
    '()',
    'not title pr',
    'not',
    'not (title pr) pr',
    'active co "t"',
    'active gt true',
    'active eq "yes"',
    'active eq 1',
    'x509Certificates.value sw "M"',
    'meta.lastModified co "2026"',
    'meta.lastModified gt "yesterday"',
    'meta.lastModified gt "2026-13-01T00:00:00Z"',
    'meta.lastModified gt 2026',
    'name eq "Ada"',
    'addresses eq "London"',
    'emails[type eq "work"',
    'emails type eq "work"]',
    'emails[]',
    'emails[emails.type eq "work"]',
    'emails[type[value pr]]',
    'emails.value[type pr]',
    'emails[type eq "work"].value eq "x"',
    'name[givenName pr]',
    'password eq "secret"',
    'passwordHash pr',
    'shoeSize pr',
    'name.shoeSize pr',
    'name.givenName.x pr',
    '__proto__ pr',
    'constructor.name eq "x"',
    'emails[__proto__ pr]',
    'urn:other:User:userName pr',
    `${ENTERPRISE_USER}:userName pr`,
    `${ENTERPRISE_USER} pr`,
    'members.value eq "u"',
  ])('rejects %s', (filter) => {
    expect(rejectionOf(() => parseFilter('User', filter))).toBe('400 invalidFilter')
  })

  it('rejects more than 2,048 characters and 20 levels', () => {
    const long = (length: number) => `title eq "${'a'.repeat(length - 'title eq ""'.length)}"`
    const deep = (levels: number) => `${'('.repeat(levels)}title pr${')'.repeat(levels)}`
    expect(rejectionOf(() => parseFilter('User', long(2_048)))).toBe('accepted')
    expect(rejectionOf(() => parseFilter('User', long(2_049)))).toBe('400 invalidFilter')
    expect(rejectionOf(() => parseFilter('User', deep(20)))).toBe('accepted')
    expect(rejectionOf(() => parseFilter('User', deep(21)))).toBe('400 invalidFilter')
    expect(rejectionOf(() => parseFilter('User', `${'not ('.repeat(21)}title pr${')'.repeat(21)}`))).toBe(
      '400 invalidFilter',
    )
    expect(rejectionOf(() => parseFilter('User', '('.repeat(2_000)))).toBe('400 invalidFilter')
  })
})
