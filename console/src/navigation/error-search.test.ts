import { describe, expect, it } from 'vitest'
import { errorSearch } from './error-search'

describe('errorSearch', () => {
  it('reads codes and request IDs of the service', () => {
    const requestId = '0199aaaa-bbbb-7ccc-8ddd-eeeeffff0000'
    expect(errorSearch({ error: 'access_denied', requestId }, 'error')).toEqual({ code: 'access_denied', requestId })
    expect(errorSearch({}, 'code')).toEqual({})
  })

  it.each(['Call +1 555 0100', 'https://evil.example', '', 'x'.repeat(65), '<b>', 'Call-1-800-555-0100', { a: 1 }])(
    'ignores the text %j of a link',
    (text) => expect(errorSearch({ code: text, requestId: text }, 'code')).toEqual({}),
  )
})
