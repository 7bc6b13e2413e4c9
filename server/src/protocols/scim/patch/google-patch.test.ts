import { describe, expect, it } from 'vitest'
import { ada, ENTERPRISE_USER, patchOf } from '../../../../test/factories/scim-bodies.js'
import { applyUserPatch, readListQuery, readResource } from '../index.js'

describe('a PATCH of Google Workspace', () => {
  it('suspends a user with a path', () => {
    expect(applyUserPatch(ada(), patchOf({ op: 'replace', path: 'active', value: false }))).toEqual({
      ...ada(),
      active: false,
    })
  })

  it('replaces name, emails and extension completely in one object', () => {
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

  it('stores addresses and phone numbers with custom types', () => {
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

  it('finds a user with a lower-case attribute in the filter', () => {
    expect(readListQuery('User', { filter: 'username eq "ada@example.com"' }).filter).toMatchObject({
      target: { path: 'userName' },
    })
  })
})
