import { describe, expect, it } from 'vitest'
import { ada, ENTERPRISE_USER, frozen, patchOf, rejectionOf } from '../../../test/scim-bodies.js'
import { applyGroupPatch, applyUserPatch, readResource } from './index.js'

const after = (...operations: unknown[]) => applyUserPatch(frozen(ada()), frozen(patchOf(...operations)))
const rejected = (...operations: unknown[]) => rejectionOf(() => after(...operations))
const GROUP = readResource('Group', { displayName: 'Poets', externalId: 'g-1' })
const membersAfter = (...operations: unknown[]) => applyGroupPatch(frozen(GROUP), patchOf(...operations)).members

describe('RFC 7644 3.5.2.1, add', () => {
  it('appends to a list what is not there, and changes nothing by what is', () => {
    expect(
      after({ op: 'add', path: 'emails', value: [{ value: 'ADA@example.com', type: 'work' }] }).emails,
    ).toHaveLength(2)
    expect(after({ op: 'add', path: 'emails', value: { value: 'x@y.example' } }).emails).toHaveLength(3)
  })

  it('takes the preference from the value that had it', () => {
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

  it('adds to the parts of a complex attribute, and to an extension', () => {
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

describe('RFC 7644 3.5.2.2, remove', () => {
  it('takes away an attribute, a part, the values that a filter finds, a whole extension', () => {
    expect(after({ op: 'remove', path: 'emails' })).not.toHaveProperty('emails')
    expect(after({ op: 'remove', path: 'name.familyName' }).name).toEqual({ givenName: 'Ada' })
    expect(after({ op: 'remove', path: 'emails[type eq "home" and value ew ".example"]' }).emails).toHaveLength(1)
    expect(after({ op: 'remove', path: ENTERPRISE_USER })).not.toHaveProperty([ENTERPRISE_USER])
    expect(after({ op: 'remove', path: 'emails[type eq "fax"]' })).toEqual(ada())
  })

  it('takes away of a list the values that are sent, told apart by what they are for', () => {
    expect(after({ op: 'remove', path: 'emails', value: [{ value: 'ADA@home.example' }] }).emails).toHaveLength(1)
    expect(
      after({ op: 'remove', path: 'emails', value: [{ value: 'ada@home.example', type: 'work' }] }).emails,
    ).toHaveLength(2)
    expect(after({ op: 'remove', path: 'emails', value: [{ type: 'home' }] }).emails).toHaveLength(1)
    expect(after({ op: 'remove', path: 'emails', value: [] }).emails).toHaveLength(2)
  })
})

describe('RFC 7644 3.5.2.3, replace', () => {
  it('puts the values of a list in the place of all, or of those that a filter finds', () => {
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

  it('knows attributes in any case, and behind the URN of their schema', () => {
    expect(after({ op: 'REPLACE', path: 'USERNAME', value: 'x@example.com' }).userName).toBe('x@example.com')
    expect(
      after({ op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:name.givenname', value: 'X' }).name,
    ).toMatchObject({ givenName: 'X' })
  })
})

describe('values of a list that a change makes the same', () => {
  const plain = { op: 'add', path: 'emails', value: [{ value: 'a@x.example' }] }
  it.each([
    ['a replaced part', { op: 'replace', path: 'emails.value', value: 'a@x.example' }],
    ['a replaced value', { op: 'replace', path: 'emails[type eq "work"]', value: { value: 'a@x.example' } }],
    ['a removed part', { op: 'remove', path: 'emails[type eq "home"].type' }],
  ])('become one with the parts of both: %s', (_, change) => {
    const home = { op: 'add', path: 'emails', value: [{ value: 'ada@home.example' }] }
    const { emails } = after(plain, home, change)
    const keys = (emails as { value: string; type?: string }[]).map(({ value, type }) => `${value} ${type}`)
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys).toHaveLength(3)
  })
})

describe('a PATCH', () => {
  it('does its operations in their order', () => {
    expect(
      after(
        { op: 'replace', path: 'title', value: 'a' },
        { op: 'remove', path: 'title' },
        { op: 'add', path: 'title', value: 'b' },
      ).title,
    ).toBe('b')
  })

  it('is done as a whole or not at all, and never alters what it is given', () => {
    const user = ada()
    const before = structuredClone(user)
    const body = patchOf({ op: 'replace', path: 'title', value: 'x' }, { op: 'replace', path: 'nothing', value: 'x' })
    expect(rejectionOf(() => applyUserPatch(user, body))).toBe('400 invalidPath')
    expect(user).toEqual(before)
  })

  it.each<[string, unknown, string]>([
    ['to the id', { op: 'replace', path: 'id', value: 'x' }, '400 mutability'],
    ['to a part of meta', { op: 'replace', path: 'meta.created', value: 'x' }, '400 mutability'],
    ['to the groups of a user', { op: 'add', path: 'groups', value: [{ value: 'g' }] }, '400 mutability'],
    [
      'to what the service knows of a manager',
      { op: 'add', path: `${ENTERPRISE_USER}:manager.displayName`, value: 'x' },
      '400 mutability',
    ],
    ['that removes what is required', { op: 'remove', path: 'userName' }, '400 mutability'],
    ['that empties what is required', { op: 'replace', value: { userName: null } }, '400 mutability'],
    ['to an unknown attribute', { op: 'replace', path: 'shoeSize', value: '9' }, '400 invalidPath'],
    ['to an unknown part', { op: 'replace', path: 'name.shoeSize', value: '9' }, '400 invalidPath'],
    ['to a part of a part', { op: 'replace', path: 'name.givenName.x', value: '9' }, '400 invalidPath'],
    [
      'to an unknown part of a value',
      { op: 'replace', path: 'emails[type eq "work"].x', value: '9' },
      '400 invalidPath',
    ],
    [
      'with a filter that does not end',
      { op: 'replace', path: 'emails[type eq "work"', value: '9' },
      '400 invalidPath',
    ],
    ['with a filter of nothing', { op: 'remove', path: 'emails[]' }, '400 invalidPath'],
    ['with a filter behind what is no list', { op: 'remove', path: 'name[givenName pr]' }, '400 invalidPath'],
    ['with something behind its path', { op: 'remove', path: 'emails[type pr] x' }, '400 invalidPath'],
    ['with a path that is no text', { op: 'remove', path: 7 }, '400 invalidPath'],
    [
      'that replaces what no filter finds',
      { op: 'replace', path: 'emails[type eq "x"].value', value: 'x' },
      '400 noTarget',
    ],
    [
      'that adds to what no filter describes',
      { op: 'add', path: 'emails[type sw "x"].value', value: 'x' },
      '400 noTarget',
    ],
    ['that removes without a path', { op: 'remove' }, '400 noTarget'],
    ['that adds no value', { op: 'add', path: 'title' }, '400 invalidValue'],
    ['with a number for a text', { op: 'add', path: 'title', value: 7 }, '400 invalidValue'],
    ['with a text for a boolean', { op: 'replace', path: 'active', value: 'yes' }, '400 invalidValue'],
    ['with a text for a name', { op: 'replace', path: 'name', value: 'Ada' }, '400 invalidValue'],
    ['with a list for one value', { op: 'replace', path: 'title', value: ['a', 'b'] }, '400 invalidValue'],
    [
      'with two to prefer',
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
    ['with a text without a path', { op: 'add', value: 'x' }, '400 invalidValue'],
    ['with U+0000', { op: 'add', path: 'title', value: 'a\0' }, '400 invalidValue'],
    ['with half a character', { op: 'add', path: 'title', value: '\ud800' }, '400 invalidValue'],
    ['with a text beyond all measure', { op: 'add', path: 'title', value: 'a'.repeat(4_097) }, '400 invalidValue'],
    [
      'with a certificate that is none',
      { op: 'add', path: 'x509Certificates', value: [{ value: '<der>' }] },
      '400 invalidValue',
    ],
    [
      'with more values than anybody has',
      { op: 'add', path: 'emails', value: Array(101).fill({ value: 'x' }) },
      '400 tooMany',
    ],
    ['of an unknown kind', { op: 'move', path: 'title', value: 'x' }, '400 invalidSyntax'],
    ['that is no object', 'x', '400 invalidSyntax'],
    ['with one name twice', { op: 'add', value: { title: 'a', TITLE: 'b' } }, '400 invalidSyntax'],
  ])('is refused %s', (_, operation, rejection) => {
    expect(rejected(operation)).toBe(rejection)
  })

  it.each<[string, unknown]>([
    ['is no object', []],
    ['has no schema', { Operations: [{ op: 'remove', path: 'title' }] }],
    ['has no operations', patchOf()],
    ['is too deep', patchOf({ op: 'add', value: JSON.parse(`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`) })],
  ])('is refused where the body %s', (_, body) => {
    expect(rejectionOf(() => applyUserPatch(ada(), body))).toBe('400 invalidSyntax')
  })

  it('passes over a password, however it is sent', () => {
    for (const path of ['password', 'Password', 'urn:ietf:params:scim:schemas:core:2.0:User:password'])
      expect(after({ op: 'replace', path, value: 'secret' }, { op: 'remove', path })).toEqual(ada())
    expect(rejectionOf(() => membersAfter({ op: 'replace', path: 'password', value: 'x' }))).toBe('400 invalidPath')
  })

  it('names the whole path where it finds nothing', () => {
    const path = 'emails[type eq "nowhere"].value'
    expect(() => after({ op: 'replace', path, value: 'x' })).toThrow(`No value is found by “${path}”.`)
  })

  it('is refused where it has more than 1,000 operations', () => {
    const many = (count: number) => patchOf(...Array(count).fill({ op: 'remove', path: 'title' }))
    expect(rejectionOf(() => applyUserPatch(ada(), many(1_000)))).toBe('accepted')
    expect(rejectionOf(() => applyUserPatch(ada(), many(1_001)))).toBe('400 tooMany')
    const plain = { op: 'replace', value: { title: 'a', nickName: 'b', locale: 'en' } }
    expect(rejectionOf(() => applyUserPatch(ada(), patchOf(...Array(1_000).fill(plain))))).toBe('400 tooMany')
  })

  it('is refused where its operations compare too much together, and does what any directory asks for', () => {
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

    const emails = Array.from({ length: 100 }, (_, at) => ({ value: `somebody-${at}@example.com`, type: 'work' }))
    const many = Array(1_000).fill({
      op: 'replace',
      path: 'emails[value eq "nobody" or type eq "work"].display',
      value: 'x',
    })
    expect(rejectionOf(() => applyUserPatch(ada({ emails }), patchOf(...many)))).toBe('accepted')
  })

  it('passes over what is ours or unknown where no path names it', () => {
    expect(
      after({ op: 'replace', value: { id: 'x', meta: {}, groups: [], schemas: [], shoeSize: 9, 'a b': 1 } }),
    ).toEqual(ada())
  })
})

describe('members of a group', () => {
  it('are summed up in the order of the operations', () => {
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

  it('come with changes of the group itself', () => {
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
    ['by another attribute than their value', { op: 'remove', path: 'members[type eq "User"]' }, '400 invalidFilter'],
    ['by what they are not', { op: 'remove', path: 'members[not (value eq "a")]' }, '400 invalidFilter'],
    ['to become others', { op: 'replace', path: 'members[value eq "a"]', value: { value: 'b' } }, '400 mutability'],
    ['to have another value', { op: 'replace', path: 'members[value eq "a"].value', value: 'b' }, '400 mutability'],
    ['to have another address', { op: 'replace', path: 'members[value eq "a"].display', value: 'b' }, '400 mutability'],
    ['without a value', { op: 'add', path: 'members', value: [{ display: 'x' }] }, '400 invalidValue'],
    ['more than are named at once', { op: 'add', path: 'members', value: Array(10_001).fill('a') }, '400 tooMany'],
  ])('are refused %s', (_, operation, rejection) => {
    expect(rejectionOf(() => membersAfter(operation))).toBe(rejection)
  })

  it('are at most 10,000 over all operations, of which none knows who is in the group', () => {
    const ids = Array.from({ length: 10_000 }, (_, at) => `u-${at}`)
    expect(membersAfter({ op: 'add', path: 'members', value: ids })).toEqual({ add: ids, remove: [] })
    expect(
      rejectionOf(() =>
        membersAfter({ op: 'add', path: 'members', value: ids }, { op: 'add', path: 'members', value: 'x' }),
      ),
    ).toBe('400 tooMany')
  })
})
