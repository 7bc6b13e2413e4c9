import { describe, expect, it } from 'vitest'
import { ada, ENTERPRISE_USER, frozen, patchOf } from '../../../../test/factories/scim-bodies.js'
import { applyGroupPatch, applyUserPatch, readListQuery, readResource } from '../index.js'

const after = (...operations: unknown[]) => applyUserPatch(frozen(ada()), frozen(patchOf(...operations)))
const GROUP = readResource('Group', { displayName: 'Poets', externalId: 'g-1' })

describe('a PATCH of Microsoft Entra ID', () => {
  it('deactivates a user with a capitalized operation and a string', () => {
    expect(after({ op: 'Replace', path: 'active', value: 'False' })).toMatchObject({ active: false })
    expect(after({ op: 'Add', path: 'active', value: [{ $ref: null, value: 'False' }] })).toMatchObject({
      active: false,
    })
  })

  it('activates a user with a string without a path', () => {
    const suspended = ada({ active: false })
    expect(applyUserPatch(suspended, patchOf({ op: 'Replace', value: { active: 'True' } }))).toMatchObject({
      active: true,
    })
  })

  it('changes dotted keys, filters and URNs as keys of one object without a path', () => {
    const user = after({
      op: 'Add',
      value: {
        'name.givenName': 'Augusta',
        'emails[type eq "work"].value': 'augusta@example.com',
        'phoneNumbers[type eq "mobile"].value': '+44 1',
        [`${ENTERPRISE_USER}:department`]: 'Poetry',
        [`${ENTERPRISE_USER}:manager`]: 'u-babbage',
        'urn:ietf:params:scim:schemas:extension:CustomExtension:2.0:User:tag': 'ignored',
        displayName: 'Augusta King',
      },
    })
    expect(user).toMatchObject({
      name: { givenName: 'Augusta', familyName: 'Byron' },
      displayName: 'Augusta King',
      phoneNumbers: [{ type: 'mobile', value: '+44 1' }],
      [ENTERPRISE_USER]: { department: 'Poetry', manager: { value: 'u-babbage' } },
    })
    expect(user.emails).toEqual([
      { value: 'augusta@example.com', type: 'work', primary: true },
      { value: 'ada@home.example', type: 'home' },
    ])
  })

  it('creates a value by adding to a filter that matches nothing', () => {
    const user = after(
      { op: 'Add', path: 'emails[type eq "other"].value', value: 'ada@other.example' },
      { op: 'Add', path: 'addresses[type eq "work"].locality', value: 'London' },
      { op: 'Add', path: 'addresses[type eq "work"].country', value: 'GB' },
      { op: 'Add', path: 'roles[primary eq "True"].value', value: 'Author' },
    )
    expect(user.emails).toContainEqual({ value: 'ada@other.example', type: 'other' })
    expect(user.addresses).toEqual([{ locality: 'London', country: 'GB', type: 'work' }])
    expect(user.roles).toEqual([{ value: 'Author', primary: true }])
  })

  it.each([
    ['a string', 'u-babbage'],
    ['an object', { value: 'u-babbage' }],
    ['an object in a list', [{ value: 'u-babbage' }]],
    ['an object with a null sub-attribute', [{ $ref: null, value: 'u-babbage' }]],
  ])('sets the manager as %s', (_, value) => {
    const user = after({ op: 'Add', path: `${ENTERPRISE_USER}:manager`, value })
    expect(user[ENTERPRISE_USER]).toEqual({ department: 'Engines', manager: { value: 'u-babbage' } })
    const next = applyUserPatch(
      user,
      patchOf({ op: 'Replace', path: `${ENTERPRISE_USER}:manager.value`, value: 'u-2' }),
    )
    expect(next[ENTERPRISE_USER]).toMatchObject({ manager: { value: 'u-2' } })
    const none = applyUserPatch(next, patchOf({ op: 'Remove', path: `${ENTERPRISE_USER}:manager` }))
    expect(none[ENTERPRISE_USER]).toEqual({ department: 'Engines' })
  })

  it('removes an attribute, and a value by removing its sub-attribute', () => {
    const user = after(
      { op: 'Remove', path: `${ENTERPRISE_USER}:department` },
      { op: 'Remove', path: 'emails[type eq "home"].value' },
      { op: 'Remove', path: 'title' },
      { op: 'Replace', path: 'name.familyName', value: '' },
    )
    expect(user).not.toHaveProperty([ENTERPRISE_USER])
    expect(user.schemas).toEqual(['urn:ietf:params:scim:schemas:core:2.0:User'])
    expect(user.emails).toEqual([{ value: 'ada@example.com', type: 'work', primary: true }])
    expect(user.name).toEqual({ givenName: 'Ada' })
  })

  it('adds and removes members with a list of values, including the legacy notation', () => {
    const members = (...operations: unknown[]) => applyGroupPatch(GROUP, patchOf(...operations)).members
    expect(members({ op: 'Add', path: 'members', value: [{ value: 'u-1' }, { value: 'u-2' }] })).toEqual({
      add: ['u-1', 'u-2'],
      remove: [],
    })
    expect(members({ op: 'Remove', path: 'members', value: [{ $ref: null, value: 'u-1' }] })).toEqual({
      add: [],
      remove: ['u-1'],
    })
    expect(members({ op: 'Remove', path: 'members[value eq "u-1"]' })).toEqual({ add: [], remove: ['u-1'] })
  })

  it('searches for a group without its members', () => {
    const { filter, projection } = readListQuery('Group', {
      excludedAttributes: 'members',
      filter: 'displayName eq "Poets"',
    })
    expect(filter).toMatchObject({ op: 'eq', value: 'Poets' })
    expect(projection.wants('members')).toBe(false)
    expect(projection.wants('displayName')).toBe(true)
  })

  it('creates a user with null sub-attributes and reads it back', () => {
    const user = readResource('User', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', ENTERPRISE_USER],
      externalId: 'ada',
      userName: 'ada@example.com',
      active: true,
      addresses: null,
      displayName: 'Ada Byron',
      emails: [{ type: 'work', value: null, primary: true }],
      meta: { resourceType: 'User' },
      name: { formatted: 'Ada Byron', familyName: 'Byron', givenName: 'Ada' },
      roles: [],
      [ENTERPRISE_USER]: { employeeNumber: '7', manager: null },
    })
    expect(user).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', ENTERPRISE_USER],
      externalId: 'ada',
      userName: 'ada@example.com',
      active: true,
      displayName: 'Ada Byron',
      name: { formatted: 'Ada Byron', familyName: 'Byron', givenName: 'Ada' },
      [ENTERPRISE_USER]: { employeeNumber: '7' },
    })
  })
})
