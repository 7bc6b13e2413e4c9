import { describe, expect, it } from 'vitest'
import { ada, ENTERPRISE_USER, patchOf } from '../../../test/scim-bodies.js'
import { applyUserPatch, readListQuery, readResource } from './index.js'

describe('Google Workspace', () => {
  it('suspends a user by a path', () => {
    expect(applyUserPatch(ada(), patchOf({ op: 'replace', path: 'active', value: false }))).toEqual({
      ...ada(),
      active: false,
    })
  })

  it('replaces name, emails and the extension as wholes, in one object', () => {
    const user = applyUserPatch(
      ada(),
      patchOf({
        op: 'replace',
        value: {
          name: { familyName: 'King', givenName: 'Ada', formatted: 'Ada King' },
          emails: [{ value: 'king@example.com', type: 'work', primary: true }],
          [ENTERPRISE_USER]: { department: 'Poetry', costCenter: '7' },
        },
      }),
    )
    expect(user).toEqual({
      ...ada(),
      name: { givenName: 'Ada', familyName: 'King', formatted: 'Ada King' },
      emails: [{ value: 'king@example.com', type: 'work', primary: true }],
      [ENTERPRISE_USER]: { department: 'Poetry', costCenter: '7' },
    })
  })

  it('sends addresses and phone numbers of kinds of its own, which come back', () => {
    const phones = [
      { value: '+44 20', type: 'work_mobile', primary: true },
      { value: '+44 21', type: 'grand_central' },
    ]
    const addresses = [{ formatted: '12 St James’s Square, London', type: 'work', primary: false }]
    expect(readResource('User', { userName: 'ada@example.com', phoneNumbers: phones, addresses })).toMatchObject({
      phoneNumbers: phones,
      addresses,
    })
  })

  it('finds a user by a filter with the attribute in lower case', () => {
    expect(readListQuery('User', { filter: 'username eq "ada@example.com"' }).filter).toMatchObject({
      target: { path: 'userName' },
    })
  })
})
