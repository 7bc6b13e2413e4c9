import { describe, expect, it } from 'vitest'
import { ada, ENTERPRISE_USER, frozen, patchOf, rejectionOf } from '../../../../test/factories/scim-bodies.js'
import { applyGroupPatch, applyUserPatch, readResource } from '../index.js'

const after = (...operations: unknown[]) => applyUserPatch(frozen(ada()), frozen(patchOf(...operations)))
const rejected = (...operations: unknown[]) => rejectionOf(() => after(...operations))
const GROUP = readResource('Group', { displayName: 'Poets', externalId: 'g-1' })
const membersAfter = (...operations: unknown[]) => applyGroupPatch(frozen(GROUP), patchOf(...operations)).members

describe('add (RFC 7644 section 3.5.2.1)', () => {
  it('appends new values to a list and ignores existing ones', () => {
    expect(
      after({ op: 'add', path: 'emails', value: [{ value: 'ADA@example.com', type: 'work' }] }).emails,
    ).toHaveLength(2)
    expect(after({ op: 'add', path: 'emails', value: { value: 'x@y.example' } }).emails).toHaveLength(3)
  })

  it('makes the new primary value the only one', () => {
    const { emails } = after({
      op: 'add',
      path: 'emails',
      value: [{ value: 'p@x.example', type: 'other', primary: true }],
    })
    expect(emails).toEqual([
      { value: 'ada@example.com', type: 'work', primary: false },
      { value: 'ada@home.example', type: 'home' },
      { value: 'p@x.example', type: 'other', primary: true },
    ])
    expect(after({ op: 'replace', path: 'emails[type eq "home"].primary', value: true }).emails).toEqual([
      { value: 'ada@example.com', type: 'work', primary: false },
      { value: 'ada@home.example', type: 'home', primary: true },
    ])
  })

  it('merges sub-attributes of a complex attribute and of an extension', () => {
    expect(after({ op: 'add', value: { name: { middleName: 'K.' } } }).name).toEqual({
      givenName: 'Ada',
      familyName: 'Byron',
      middleName: 'K.',
    })
    expect(after({ op: 'add', path: ENTERPRISE_USER, value: { costCenter: '9' } })[ENTERPRISE_USER]).toEqual({
      department: 'Engines',
      costCenter: '9',
    })
    expect(after({ op: 'add', value: { [ENTERPRISE_USER.toUpperCase()]: { COSTCENTER: '9' } } })).toMatchObject({
      [ENTERPRISE_USER]: { department: 'Engines', costCenter: '9' },
    })
  })
})

describe('remove (RFC 7644 section 3.5.2.2)', () => {
  it('removes an attribute, a sub-attribute, values that match a filter, and an extension', () => {
    expect(after({ op: 'remove', path: 'emails' })).not.toHaveProperty('emails')
    expect(after({ op: 'remove', path: 'name.familyName' }).name).toEqual({ givenName: 'Ada' })
    expect(after({ op: 'remove', path: 'emails[type eq "home" and value ew ".example"]' }).emails).toHaveLength(1)
    expect(after({ op: 'remove', path: ENTERPRISE_USER })).not.toHaveProperty([ENTERPRISE_USER])
    expect(after({ op: 'remove', path: 'emails[type eq "fax"]' })).toEqual(ada())
  })

  it('removes the values that are sent, distinguished by type', () => {
    expect(after({ op: 'remove', path: 'emails', value: [{ value: 'ADA@home.example' }] }).emails).toHaveLength(1)
    expect(
      after({ op: 'remove', path: 'emails', value: [{ value: 'ada@home.example', type: 'work' }] }).emails,
    ).toHaveLength(2)
    expect(after({ op: 'remove', path: 'emails', value: [{ type: 'home' }] }).emails).toHaveLength(1)
    expect(after({ op: 'remove', path: 'emails', value: [] }).emails).toHaveLength(2)
  })
})

describe('replace (RFC 7644 section 3.5.2.3)', () => {
  it('replaces all values of a list, or those that match a filter', () => {
    expect(after({ op: 'replace', path: 'emails', value: [{ value: 'n@x.example' }] }).emails).toEqual([
      { value: 'n@x.example' },
    ])
    expect(
      after({ op: 'replace', path: 'emails[type eq "work"]', value: { value: 'n@x.example', type: 'work' } }).emails,
    ).toEqual([
      { value: 'n@x.example', type: 'work' },
      { value: 'ada@home.example', type: 'home' },
    ])
  })

  it('accepts attributes in any case and after the URN of their schema', () => {
    expect(after({ op: 'REPLACE', path: 'USERNAME', value: 'x@example.com' }).userName).toBe('x@example.com')
    expect(
      after({ op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:name.givenname', value: 'X' }).name,
    ).toMatchObject({ givenName: 'X' })
  })
})

describe('values that become equal', () => {
  const plain = { op: 'add', path: 'emails', value: [{ value: 'a@x.example' }] }
  it.each([
    ['a replaced part', { op: 'replace', path: 'emails.value', value: 'a@x.example' }],
    ['a replaced value', { op: 'replace', path: 'emails[type eq "work"]', value: { value: 'a@x.example' } }],
    ['a removed part', { op: 'remove', path: 'emails[type eq "home"].type' }],
  ])('merges values after %s', (_, change) => {
    const home = { op: 'add', path: 'emails', value: [{ value: 'ada@home.example' }] }
    const { emails } = after(plain, home, change)
    const keys = (emails as { value: string; type?: string }[]).map(({ value, type }) => `${value} ${type}`)
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys).toHaveLength(3)
  })
})

describe('a PATCH', () => {
  it('applies its operations in order', () => {
    expect(
      after(
        { op: 'replace', path: 'title', value: 'a' },
        { op: 'remove', path: 'title' },
        { op: 'add', path: 'title', value: 'b' },
      ).title,
    ).toBe('b')
  })

  it('applies all operations or none, without modifying its arguments', () => {
    const user = ada()
    const before = structuredClone(user)
    const body = patchOf({ op: 'replace', path: 'title', value: 'x' }, { op: 'replace', path: 'nothing', value: 'x' })
    expect(rejectionOf(() => applyUserPatch(user, body))).toBe('400 invalidPath')
    expect(user).toEqual(before)
  })

  it.each<[string, unknown, string]>([
    ['a change of the ID', { op: 'replace', path: 'id', value: 'x' }, '400 mutability'],
    ['a change of meta', { op: 'replace', path: 'meta.created', value: 'x' }, '400 mutability'],
    ['a change of the groups of a user', { op: 'add', path: 'groups', value: [{ value: 'g' }] }, '400 mutability'],
    [
      'a change of a read-only sub-attribute',
      { op: 'add', path: `${ENTERPRISE_USER}:manager.displayName`, value: 'x' },
      '400 mutability',
    ],
    ['a removed required attribute', { op: 'remove', path: 'userName' }, '400 mutability'],
    ['a required attribute set to null', { op: 'replace', value: { userName: null } }, '400 mutability'],
    ['an unknown attribute', { op: 'replace', path: 'shoeSize', value: '9' }, '400 invalidPath'],
    ['an unknown sub-attribute', { op: 'replace', path: 'name.shoeSize', value: '9' }, '400 invalidPath'],
    ['a path with three segments', { op: 'replace', path: 'name.givenName.x', value: '9' }, '400 invalidPath'],
    [
      'an unknown sub-attribute of a value',
      { op: 'replace', path: 'emails[type eq "work"].x', value: '9' },
      '400 invalidPath',
    ],
    ['an unterminated filter', { op: 'replace', path: 'emails[type eq "work"', value: '9' }, '400 invalidPath'],
    ['an empty filter', { op: 'remove', path: 'emails[]' }, '400 invalidPath'],
    ['a filter on a single-valued attribute', { op: 'remove', path: 'name[givenName pr]' }, '400 invalidPath'],
    ['trailing characters after a path', { op: 'remove', path: 'emails[type pr] x' }, '400 invalidPath'],
    ['a path that is not a string', { op: 'remove', path: 7 }, '400 invalidPath'],
    [
      'a replacement that matches nothing',
      { op: 'replace', path: 'emails[type eq "x"].value', value: 'x' },
      '400 noTarget',
    ],
    [
      'an addition that the filter does not describe',
      { op: 'add', path: 'emails[type sw "x"].value', value: 'x' },
      '400 noTarget',
    ],
    ['a removal without a path', { op: 'remove' }, '400 noTarget'],
    ['an addition without a value', { op: 'add', path: 'title' }, '400 invalidValue'],
    ['a number instead of a string', { op: 'add', path: 'title', value: 7 }, '400 invalidValue'],
    ['a string instead of a boolean', { op: 'replace', path: 'active', value: 'yes' }, '400 invalidValue'],
    ['a string instead of a name', { op: 'replace', path: 'name', value: 'Ada' }, '400 invalidValue'],
    ['a list instead of a value', { op: 'replace', path: 'title', value: ['a', 'b'] }, '400 invalidValue'],
    [
      'two primary values',
      {
        op: 'add',
        path: 'emails',
        value: [
          { value: 'a', primary: true },
          { value: 'b', primary: true },
        ],
      },
      '400 invalidValue',
    ],
    ['a string without a path', { op: 'add', value: 'x' }, '400 invalidValue'],
    ['U+0000', { op: 'add', path: 'title', value: 'a\0' }, '400 invalidValue'],
    ['an unpaired surrogate', { op: 'add', path: 'title', value: '\ud800' }, '400 invalidValue'],
    ['an oversized string', { op: 'add', path: 'title', value: 'a'.repeat(4_097) }, '400 invalidValue'],
    [
      'an invalid certificate',
      { op: 'add', path: 'x509Certificates', value: [{ value: '<der>' }] },
      '400 invalidValue',
    ],
    ['too many values', { op: 'add', path: 'emails', value: Array(101).fill({ value: 'x' }) }, '400 tooMany'],
    ['an unknown operation', { op: 'move', path: 'title', value: 'x' }, '400 invalidSyntax'],
    ['an operation that is not an object', 'x', '400 invalidSyntax'],
    ['a repeated attribute', { op: 'add', value: { title: 'a', TITLE: 'b' } }, '400 invalidSyntax'],
  ])('rejects %s', (_, operation, rejection) => {
    expect(rejected(operation)).toBe(rejection)
  })

  it.each<[string, unknown]>([
    ['that is not an object', []],
    ['without a schema', { Operations: [{ op: 'remove', path: 'title' }] }],
    ['without operations', patchOf()],
    ['that is nested too deeply', patchOf({ op: 'add', value: JSON.parse(`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`) })],
  ])('rejects a body %s', (_, body) => {
    expect(rejectionOf(() => applyUserPatch(ada(), body))).toBe('400 invalidSyntax')
  })

  it('ignores passwords in any notation', () => {
    for (const path of ['password', 'Password', 'urn:ietf:params:scim:schemas:core:2.0:User:password'])
      expect(after({ op: 'replace', path, value: 'secret' }, { op: 'remove', path })).toEqual(ada())
    expect(rejectionOf(() => membersAfter({ op: 'replace', path: 'password', value: 'x' }))).toBe('400 invalidPath')
  })

  it('returns the whole path if it matches nothing', () => {
    const path = 'emails[type eq "nowhere"].value'
    expect(() => after({ op: 'replace', path, value: 'x' })).toThrow(`No value matches “${path}”.`)
  })

  it('rejects more than 1,000 operations', () => {
    const many = (count: number) => patchOf(...Array(count).fill({ op: 'remove', path: 'title' }))
    expect(rejectionOf(() => applyUserPatch(ada(), many(1_000)))).toBe('accepted')
    expect(rejectionOf(() => applyUserPatch(ada(), many(1_001)))).toBe('400 tooMany')
    const plain = { op: 'replace', value: { title: 'a', nickName: 'b', locale: 'en' } }
    expect(rejectionOf(() => applyUserPatch(ada(), patchOf(...Array(1_000).fill(plain))))).toBe('400 tooMany')
  })

  it('rejects operations that require too many comparisons, with a margin for common requests', () => {
    const ims = Array.from({ length: 100 }, (_, at) => ({ value: `${at}${'ä'.repeat(4_000)}` }))
    const user = ada({ ims })
    const choosing = { op: 'remove', path: `ims[${Array(125).fill('value co "q"').join(' or ')}].display` }
    expect(rejectionOf(() => applyUserPatch(user, patchOf(...Array(60).fill(choosing))))).toBe('400 tooMany')
    const ofNone = { op: 'remove', path: `roles[${Array(125).fill('value co "q"').join(' or ')}].display` }
    expect(rejectionOf(() => applyUserPatch(user, patchOf(...Array(60).fill(ofNone))))).toBe('accepted')
    expect(rejectionOf(() => applyUserPatch(user, patchOf(...Array(450).fill(ofNone))))).toBe('400 tooMany')
    const adding = { op: 'add', path: 'ims', value: [{ value: '1' }] }
    const fewer = ada({ ims: ims.slice(1) })
    expect(rejectionOf(() => applyUserPatch(fewer, patchOf(...Array(1_000).fill(adding))))).toBe('400 tooMany')

    const emails = Array.from({ length: 100 }, (_, at) => ({ value: `employee-${at}@example.com`, type: 'work' }))
    const many = Array(1_000).fill({
      op: 'replace',
      path: 'emails[value eq "absent" or type eq "work"].display',
      value: 'x',
    })
    expect(rejectionOf(() => applyUserPatch(ada({ emails }), patchOf(...many)))).toBe('accepted')
  })

  it('ignores read-only and unknown attributes without a path', () => {
    expect(
      after({ op: 'replace', value: { id: 'x', meta: {}, groups: [], schemas: [], shoeSize: 9, 'a b': 1 } }),
    ).toEqual(ada())
  })
})

describe('member changes of a group PATCH', () => {
  it('combines member changes in the order of the operations', () => {
    expect(
      membersAfter(
        { op: 'add', path: 'members', value: [{ value: 'a' }, { value: 'b' }] },
        { op: 'remove', path: 'members[value eq "a" or value eq "c"]' },
        { op: 'add', path: 'members', value: [{ value: 'c' }] },
      ),
    ).toEqual({ add: ['b', 'c'], remove: ['a'] })
    expect(
      membersAfter(
        { op: 'add', path: 'members', value: [{ value: 'a' }] },
        { op: 'replace', path: 'members', value: [{ value: 'b' }, { value: 'c' }] },
        { op: 'remove', path: 'members', value: [{ value: 'c' }] },
        { op: 'add', path: 'members', value: { value: 'd' } },
      ),
    ).toEqual({ replace: ['b', 'd'] })
    expect(membersAfter({ op: 'remove', path: 'members' }, { op: 'add', path: 'members', value: ['e'] })).toEqual({
      replace: ['e'],
    })
    expect(membersAfter({ op: 'replace', path: 'displayName', value: 'x' })).toBeUndefined()
  })

  it('combines member changes with changes of the group itself', () => {
    const body = patchOf(
      { op: 'replace', value: { displayName: 'X', members: [] } },
      { op: 'remove', path: 'externalId' },
    )
    expect(applyGroupPatch(GROUP, body)).toEqual({
      group: { schemas: GROUP.schemas, displayName: 'X' },
      members: { replace: [] },
    })
  })

  it.each<[string, unknown, string]>([
    ['by another attribute than value', { op: 'remove', path: 'members[type eq "User"]' }, '400 invalidFilter'],
    ['by a negated filter', { op: 'remove', path: 'members[not (value eq "a")]' }, '400 invalidFilter'],
    ['that replace members', { op: 'replace', path: 'members[value eq "a"]', value: { value: 'b' } }, '400 mutability'],
    [
      'that replace the value of members',
      { op: 'replace', path: 'members[value eq "a"].value', value: 'b' },
      '400 mutability',
    ],
    [
      'that replace the display of members',
      { op: 'replace', path: 'members[value eq "a"].display', value: 'b' },
      '400 mutability',
    ],
    ['without a value', { op: 'add', path: 'members', value: [{ display: 'x' }] }, '400 invalidValue'],
    ['of too many members', { op: 'add', path: 'members', value: Array(10_001).fill('a') }, '400 tooMany'],
  ])('rejects changes %s', (_, operation, rejection) => {
    expect(rejectionOf(() => membersAfter(operation))).toBe(rejection)
  })

  it('rejects more than 10,000 members over all operations', () => {
    const ids = Array.from({ length: 10_000 }, (_, at) => `u-${at}`)
    expect(membersAfter({ op: 'add', path: 'members', value: ids })).toEqual({ add: ids, remove: [] })
    expect(
      rejectionOf(() =>
        membersAfter({ op: 'add', path: 'members', value: ids }, { op: 'add', path: 'members', value: 'x' }),
      ),
    ).toBe('400 tooMany')
  })
})
