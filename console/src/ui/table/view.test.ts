import { describe, expect, it } from 'vitest'
import { listSearch, nextSort, searchOf, viewFrom } from './view'

describe('viewFrom', () => {
  it('returns the defaults for a URL without parameters', () => {
    expect(viewFrom({}, ['role'])).toEqual({ page: 1, limit: 50, filters: {} })
  })

  it('ignores unknown parameters and malformed values', () => {
    const search = { page: '-3', limit: 7, sort: 1, q: ['a'], role: { a: 1 }, other: 'x' }
    expect(viewFrom(listSearch(search), ['role'])).toEqual({ page: 1, limit: 50, sort: '1', filters: {} })
  })

  it('reads what searchOf wrote', () => {
    const view = { page: 3, limit: 100, sort: '-name', q: '42', filters: { role: 'admin' } }
    expect(viewFrom(searchOf(view), ['role'])).toEqual(view)
    expect(searchOf({ page: 1, limit: 50, filters: {} })).toEqual({})
  })
})

describe('nextSort', () => {
  it('cycles through ascending, descending and the default', () => {
    expect(nextSort(undefined, 'name')).toBe('name')
    expect(nextSort('name', 'name')).toBe('-name')
    expect(nextSort('-name', 'name')).toBeUndefined()
    expect(nextSort('email', 'name')).toBe('name')
  })
})
