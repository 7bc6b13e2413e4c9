import { describe, expect, it } from 'vitest'
import { ada, patchOf } from '../../../../test/factories/scim-bodies.js'
import { applyGroupPatch, applyUserPatch, readListQuery, readResource } from '../index.js'

const GROUP = { ...readResource('Group', { displayName: 'Poets' }), id: 'g-1' }

describe('a PATCH of Okta', () => {
  it('deactivates a user with an object without a path', () => {
    expect(applyUserPatch(ada(), patchOf({ op: 'replace', value: { active: false } }))).toEqual({
      ...ada(),
      active: false,
    })
  })

  it('renames a group with an object that contains its unchanged ID', () => {
    const { group, members } = applyGroupPatch(
      GROUP,
      patchOf({ op: 'replace', value: { id: 'g-other', displayName: 'Engineers' } }),
    )
    expect(group).toEqual({ ...GROUP, displayName: 'Engineers' })
    expect(members).toBeUndefined()
  })

  it('removes a member with a filter and adds others with a list in one request', () => {
    const { members } = applyGroupPatch(
      GROUP,
      patchOf(
        { op: 'remove', path: 'members[value eq "u-1"]' },
        { op: 'add', path: 'members', value: [{ value: 'u-2', display: 'ada@example.com' }] },
      ),
    )
    expect(members).toEqual({ add: ['u-2'], remove: ['u-1'] })
  })

  it('replaces all members', () => {
    const { members } = applyGroupPatch(
      GROUP,
      patchOf({ op: 'replace', path: 'members', value: [{ value: 'u-2', display: 'ada' }, { value: 'u-2' }] }),
    )
    expect(members).toEqual({ replace: ['u-2'] })
  })

  it('creates a user with a password and groups, which are ignored', () => {
    const user = readResource('User', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: 'ada@example.com',
      name: { givenName: 'Ada', familyName: 'Byron' },
      emails: [{ primary: true, value: 'ada@example.com', type: 'work' }],
      displayName: 'Ada Byron',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: true,
    })
    expect(user).not.toHaveProperty('password')
    expect(user).not.toHaveProperty('groups')
    expect(JSON.stringify(user)).not.toContain('1mz050nq')
    expect(applyUserPatch(user, patchOf({ op: 'replace', value: { password: '1mz050nq' } }))).toEqual(user)
  })

  it('searches for a user with an escaped filter', () => {
    const { filter, startIndex, count } = readListQuery('User', {
      filter: 'userName eq "a\\"da@example.com"',
      startIndex: '1',
      count: '100',
    })
    expect({ filter, startIndex, count }).toMatchObject({
      filter: { value: 'a"da@example.com' },
      startIndex: 1,
      count: 100,
    })
  })
})
