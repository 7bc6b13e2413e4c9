import { describe, expect, it } from 'vitest'
import { ada, ENTERPRISE_USER, frozen, rejectionOf } from '../../../test/factories/scim-bodies.js'
import { listResponse, readListQuery, readProjection, readSearchRequest } from './index.js'

const SEARCH = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest'
const shown = (wanted: { attributes?: unknown; excludedAttributes?: unknown }) =>
  readProjection('User', wanted).of(frozen(ada({ externalId: 'e-1' })))

describe('a list', () => {
  it.each([
    [{}, 1, 100],
    [{ startIndex: '0', count: '-1' }, 1, 0],
    [{ startIndex: '-7', count: '0' }, 1, 0],
    [{ startIndex: '11', count: '200' }, 11, 200],
    [{ count: '201' }, 1, 200],
    [{ startIndex: '9'.repeat(400), count: '9'.repeat(400) }, 1_000_000_000, 200],
  ])('reads %o as a start index of %d and a count of %d', (query, startIndex, count) => {
    expect(readListQuery('User', query)).toMatchObject({ startIndex, count })
  })

  it('sorts by an attribute, complex ones by their value', () => {
    expect(readListQuery('User', { sortBy: 'NAME.familyname', sortOrder: 'Descending' })).toMatchObject({
      sortBy: { path: 'name.familyName' },
      descending: true,
    })
    expect(readListQuery('User', { sortBy: 'emails' })).toMatchObject({
      sortBy: { path: 'emails.value' },
      descending: false,
    })
    expect(readListQuery('User', {})).toMatchObject({ sortBy: undefined, filter: undefined })
  })

  it('reads the same parameters from a body as from a query', () => {
    const request = {
      schemas: [SEARCH],
      attributes: ['displayName', 'userName'],
      filter: 'displayName sw "smith"',
      startIndex: 1,
      count: 10,
      sortOrder: null,
    }
    const { filter, count, projection } = readSearchRequest('User', request)
    expect(filter).toMatchObject({ op: 'sw', value: 'smith' })
    expect(count).toBe(10)
    expect(projection.of(ada())).toMatchObject({ userName: 'ada@example.com' })
    expect(projection.of(ada())).not.toHaveProperty('name')
  })

  it.each<[string, () => unknown, string]>([
    ['a count that is not a number', () => readListQuery('User', { count: 'ten' }), '400 invalidValue'],
    ['a fractional count', () => readListQuery('User', { count: '1.5' }), '400 invalidValue'],
    ['a repeated parameter', () => readListQuery('User', { filter: ['a', 'b'] }), '400 invalidValue'],
    ['an empty filter', () => readListQuery('User', { filter: '' }), '400 invalidFilter'],
    ['an unknown sortBy', () => readListQuery('User', { sortBy: 'shoeSize' }), '400 invalidPath'],
    ['a complex sortBy', () => readListQuery('User', { sortBy: 'name' }), '400 invalidPath'],
    ['an unknown sortOrder', () => readListQuery('User', { sortOrder: 'up' }), '400 invalidValue'],
    ['a body of another schema', () => readSearchRequest('User', { filter: 'title pr' }), '400 invalidSyntax'],
    ['a null body', () => readSearchRequest('User', null), '400 invalidSyntax'],
    [
      'a filter that is not a string',
      () => readSearchRequest('User', { schemas: [SEARCH], filter: 7 }),
      '400 invalidValue',
    ],
    [
      'a fractional count in a body',
      () => readSearchRequest('User', { schemas: [SEARCH], count: 0.5 }),
      '400 invalidValue',
    ],
    [
      'invalid attribute names',
      () => readSearchRequest('User', { schemas: [SEARCH], attributes: [7] }),
      '400 invalidValue',
    ],
  ])('rejects %s', (_, read, rejection) => {
    expect(rejectionOf(read)).toBe(rejection)
  })

  it('returns the total and the number of returned resources', () => {
    expect(listResponse({ resources: [], totalResults: 7, startIndex: 1 })).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 7,
      startIndex: 1,
      itemsPerPage: 0,
      Resources: [],
    })
  })
})

describe('a returned resource (RFC 7644 section 3.9)', () => {
  it('returns the complete resource by default', () => {
    expect(shown({})).toEqual(ada({ externalId: 'e-1' }))
  })

  it('returns the requested attributes and those that are always returned', () => {
    expect(shown({ attributes: 'USERNAME, name.givenName,emails.value,shoeSize,__proto__' })).toEqual({
      schemas: ada().schemas,
      id: 'u-ada',
      userName: 'ada@example.com',
      name: { givenName: 'Ada' },
      emails: [{ value: 'ada@example.com' }, { value: 'ada@home.example' }],
    })
    expect(shown({ attributes: `${ENTERPRISE_USER}:department` })).toEqual({
      schemas: ada().schemas,
      id: 'u-ada',
      [ENTERPRISE_USER]: { department: 'Engines' },
    })
    expect(shown({ attributes: ENTERPRISE_USER })).toHaveProperty([ENTERPRISE_USER, 'department'])
    expect(shown({ attributes: 'urn:ietf:params:scim:schemas:core:2.0:User:active' })).toMatchObject({ active: true })
    expect(shown({ attributes: 'emails.display' })).not.toHaveProperty('emails')
  })

  it('omits the excluded attributes except those that are always returned', () => {
    const { name: _, ...rest } = ada({ externalId: 'e-1' })
    expect(shown({ excludedAttributes: 'name,id,schemas' })).toEqual(rest)
    expect(shown({ excludedAttributes: 'name.givenname' }).name).toEqual({ familyName: 'Byron' })
    expect(shown({ excludedAttributes: ENTERPRISE_USER })).not.toHaveProperty([ENTERPRISE_USER])
    expect(shown({ excludedAttributes: `${ENTERPRISE_USER}:department` })).not.toHaveProperty([ENTERPRISE_USER])
    expect(shown({ attributes: 'name', excludedAttributes: 'name' })).toHaveProperty('name')
  })

  it('reports whether expensive attributes are needed', () => {
    const wants = (path: string, wanted: object) => readProjection('User', wanted).wants(path)
    expect(wants('groups', {})).toBe(true)
    expect(wants('groups', { attributes: 'userName' })).toBe(false)
    expect(wants('groups', { attributes: 'groups.display' })).toBe(true)
    expect(wants('groups', { excludedAttributes: 'Groups' })).toBe(false)
    expect(wants('id', { attributes: 'userName' })).toBe(true)
  })
})
