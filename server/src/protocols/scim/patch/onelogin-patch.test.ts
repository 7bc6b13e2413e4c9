import { describe, expect, it } from 'vitest'
import { ada, ENTERPRISE_USER, patchOf } from '../../../../test/factories/scim-bodies.js'
import { applyGroupPatch, applyUserPatch, readResource } from '../index.js'

const GROUP = readResource('Group', { displayName: 'Poets' })

describe('a request of OneLogin', () => {
  it('creates a user with the extension and unknown attributes', () => {
    const user = readResource('User', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', ENTERPRISE_USER],
      userName: 'ada@example.com',
      externalId: '12345',
      emails: [{ value: 'ada@example.com', type: 'work', primary: true }],
      active: 'true',
      samaccountname: 'ada',
      [ENTERPRISE_USER]: { department: 'Engines', unknown: { deep: [1, 2] } },
    })
    expect(user).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', ENTERPRISE_USER],
      userName: 'ada@example.com',
      externalId: '12345',
      emails: [{ value: 'ada@example.com', type: 'work', primary: true }],
      active: true,
      [ENTERPRISE_USER]: { department: 'Engines' },
    })
  })

  it('changes several attributes with operations on their paths', () => {
    expect(
      applyUserPatch(
        ada(),
        patchOf(
          { op: 'replace', path: 'name.givenName', value: 'Augusta' },
          { op: 'replace', path: 'title', value: 'Countess' },
          { op: 'replace', path: `${ENTERPRISE_USER}:department`, value: null },
        ),
      ),
    ).toMatchObject({ name: { givenName: 'Augusta', familyName: 'Byron' }, title: 'Countess' })
  })

  it('adds and removes group members with the attribute as the path', () => {
    const change = (...operations: unknown[]) => applyGroupPatch(GROUP, patchOf(...operations)).members
    expect(change({ op: 'add', value: { members: [{ value: 'u-1' }] } })).toEqual({ add: ['u-1'], remove: [] })
    expect(change({ op: 'replace', value: { members: [{ value: 'u-1' }] } })).toEqual({ replace: ['u-1'] })
    expect(change({ op: 'remove', path: 'members' })).toEqual({ replace: [] })
  })
})
