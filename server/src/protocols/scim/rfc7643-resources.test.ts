import { describe, expect, it } from 'vitest'
import { ENTERPRISE_USER, frozen, rejectionOf } from '../../../test/factories/scim-bodies.js'
import { booleanAt, readResource, stringAt } from './index.js'

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'

/** The full user of RFC 7643 section 8.3, without read-only attributes and the password. */
const FULL = {
  schemas: [USER, ENTERPRISE_USER],
  externalId: '701984',
  userName: 'bjensen@example.com',
  name: {
    formatted: 'Ms. Barbara J Jensen, III',
    familyName: 'Jensen',
    givenName: 'Barbara',
    middleName: 'Jane',
    honorificPrefix: 'Ms.',
    honorificSuffix: 'III',
  },
  displayName: 'Babs Jensen',
  nickName: 'Babs',
  profileUrl: 'https://login.example.com/bjensen',
  emails: [
    { value: 'bjensen@example.com', type: 'work', primary: true },
    { value: 'babs@jensen.org', type: 'home' },
  ],
  addresses: [
    {
      type: 'work',
      streetAddress: '100 Universal City Plaza',
      locality: 'Hollywood',
      region: 'CA',
      postalCode: '91608',
      country: 'USA',
      formatted: '100 Universal City Plaza\nHollywood, CA 91608 USA',
      primary: true,
    },
  ],
  phoneNumbers: [
    { value: '555-555-5555', type: 'work' },
    { value: '555-555-4444', type: 'mobile' },
  ],
  ims: [{ value: 'someaimhandle', type: 'aim' }],
  photos: [
    { value: 'https://photos.example.com/profilephoto/72930000000Ccne/F', type: 'photo' },
    { value: 'https://photos.example.com/profilephoto/72930000000Ccne/T', type: 'thumbnail' },
  ],
  userType: 'Employee',
  title: 'Tour Guide',
  preferredLanguage: 'en-US',
  locale: 'en-US',
  timezone: 'America/Los_Angeles',
  active: true,
  x509Certificates: [{ value: 'MIIDQzCCAqygAwIBAgICEAAwDQYJKoZIhvcNAQEFBQAwTjELMAkGA1UEBhMCVVMx' }],
  [ENTERPRISE_USER]: {
    employeeNumber: '701984',
    costCenter: '4130',
    organization: 'Universal Studios',
    division: 'Theme Park',
    department: 'Tour Operations',
    manager: { value: '26118915-6090-4610-87e4-49d8ca9f808d', $ref: '../Users/26118915-6090-4610-87e4-49d8ca9f808d' },
  },
}

describe('readResource', () => {
  it('reads all attributes of the schemas and ignores read-only ones', () => {
    const sent = {
      ...FULL,
      id: '2819c223-7f76-453a-919d-413861904646',
      password: 't1meMa$heen',
      groups: [{ value: 'e9e30dba-f08f-4109-8486-d5c6a331660a', display: 'Tour Guides' }],
      meta: { resourceType: 'User', version: 'W/"a330bc54f0671c9"' },
    }
    expect(readResource('User', frozen(sent))).toEqual(FULL)
  })

  it('accepts attribute names in any case and returns canonical ones', () => {
    const shout = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(shout)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key.toUpperCase(), shout(one)]))
          : value
    const loud = shout(FULL)
    expect(readResource('User', loud)).toEqual(FULL)
  })

  it('returns strings, booleans and sub-attributes that are found by path', () => {
    const user = readResource('User', FULL)
    expect(stringAt('User', user, 'username')).toBe('bjensen@example.com')
    expect(stringAt('User', user, 'name.givenName')).toBe('Barbara')
    expect(stringAt('User', user, `${ENTERPRISE_USER}:manager.value`)).toBe('26118915-6090-4610-87e4-49d8ca9f808d')
    expect(stringAt('User', user, 'emails.value')).toBeUndefined()
    expect(booleanAt('User', user, 'active')).toBe(true)
    expect(booleanAt('User', user, 'title')).toBeUndefined()
  })

  it('uses the first email address for a missing userName, even if another one is primary', () => {
    const emails = [{ value: 'a@x.example' }, { value: 'b@x.example', primary: true }]
    expect(readResource('User', { emails })).toMatchObject({ userName: 'a@x.example' })
    expect(rejectionOf(() => readResource('User', { emails: [] }))).toBe('400 invalidValue')
  })

  it('removes duplicate and read-only attributes of members', () => {
    expect(
      readResource('Group', {
        displayName: 'Poets',
        members: [{ value: 'a', display: 'Ada' }, { value: 'b', type: 'User' }, { value: 'a' }, 'c'],
      }),
    ).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      displayName: 'Poets',
      members: [{ value: 'a' }, { value: 'b', type: 'User' }, { value: 'c' }],
    })
  })

  it.each<[string, 'User' | 'Group', unknown, string]>([
    ['a list', 'User', [FULL], '400 invalidSyntax'],
    ['null', 'User', null, '400 invalidSyntax'],
    ['another schema', 'Group', { schemas: [USER], displayName: 'x' }, '400 invalidSyntax'],
    ['schemas as a string', 'User', { schemas: USER, userName: 'x' }, '400 invalidSyntax'],
    ['a repeated attribute', 'User', { userName: 'x', username: 'y' }, '400 invalidSyntax'],
    ['a user without a userName', 'User', { active: true }, '400 invalidValue'],
    ['a group without a displayName', 'Group', { displayName: '' }, '400 invalidValue'],
    ['an invalid boolean', 'User', { userName: 'x', active: 1 }, '400 invalidValue'],
    ['a name as a string', 'User', { userName: 'x', name: 'Ada' }, '400 invalidValue'],
    ['an extension as a string', 'User', { userName: 'x', [ENTERPRISE_USER]: 'x' }, '400 invalidValue'],
    ['a list in a list', 'User', { userName: 'x', emails: [['a']] }, '400 invalidValue'],
    ['an address as a string', 'User', { userName: 'x', addresses: ['London'] }, '400 invalidValue'],
    [
      'two primary values',
      'User',
      { userName: 'x', ims: ['a', 'b'].map((value) => ({ value, primary: true })) },
      '400 invalidValue',
    ],
    ['too many members', 'Group', { displayName: 'x', members: Array(10_001).fill('a') }, '400 tooMany'],
    ['a member without a value', 'Group', { displayName: 'x', members: [{ type: 'User' }] }, '400 invalidValue'],
  ])('rejects %s', (_, kind, body, rejection) => {
    expect(rejectionOf(() => readResource(kind, body))).toBe(rejection)
  })
})
