import { describe, expect, it } from 'vitest'
import { namedQuery, valuesByPosition } from './named-query.js'

describe('namedQuery', () => {
  it('translates names to positions, and one name to the same position each time', () => {
    const query = namedQuery<never, { userId: string; now: Date }>(
      'test.names',
      `UPDATE users SET updated_at = :now::timestamptz
       WHERE id = :userId AND created_at < :now AND note <> '12:30'`,
    )
    expect(query.text).toBe(
      "UPDATE users SET updated_at = $1::timestamptz WHERE id = $2 AND created_at < $1 AND note <> '12:30'",
    )
    const now = new Date(0)
    expect(valuesByPosition(query, { userId: 'u', now })).toEqual([now, 'u'])
  })

  it('rejects a missing and an additional value', () => {
    const query = namedQuery<never, object>('test.values', 'SELECT :userId')
    expect(() => valuesByPosition(query, {})).toThrow('takes the parameters userId')
    expect(() => valuesByPosition(query, { userId: 'u', teamId: 't' })).toThrow('takes the parameters userId')
  })

  it('rejects five positions, and positions beside names', () => {
    expect(() => namedQuery('test.five', 'SELECT $1, $2, $3, $4, $5')).toThrow('must name all of its parameters')
    expect(() => namedQuery('test.both', 'SELECT $1, :userId')).toThrow('must name all of its parameters')
  })
})
