import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { errorOf } from './error-of'

const docs = readFileSync(new URL('../../../../../docs/reference/errors.md', import.meta.url), 'utf8')
const [, section = ''] = docs.split('\n## SCIM\n')

/** The documented errors with a name. */
const named = [...section.matchAll(/^\| `([A-Za-z_]+)` \| (\d{3}) \|/gm)].map(([, scimType = '', status]) => ({
  scimType,
  status: Number(status),
}))
/** The documented statuses without a name in RFC 7644. */
const [, listed = ''] = /has no name for \(([^)]*)\)/.exec(section) ?? []
const nameless = [...listed.matchAll(/\d{3}/g)].map(([status]) => Number(status))

const unknown = errorOf({ status: 418, scimType: null })

describe('errorOf', () => {
  it('explains every documented error', () => {
    expect(named.length).toBeGreaterThan(9)
    expect(nameless).toEqual(expect.arrayContaining([401, 403, 404, 413, 415, 429, 503]))
    const all = [...named, ...nameless.map((status) => ({ status, scimType: null }))]
    expect(all.filter((error) => [unknown, undefined].includes(errorOf(error)))).toEqual([])
  })

  it('has a different message for each name, and none for a success', () => {
    const messages = named.map((error) => errorOf(error))
    expect(new Set(messages).size).toBe(messages.length)
    expect(errorOf({ status: 204, scimType: null })).toBeUndefined()
  })

  it('falls back to the status for an unknown name', () => {
    expect(errorOf({ status: 404, scimType: 'ofALaterVersion' })).toBe(errorOf({ status: 404, scimType: null }))
    expect(errorOf({ status: 400, scimType: 'constructor' })).toBe(unknown)
    expect(errorOf({ status: 500, scimType: null })).toContain('internal error')
  })
})
