import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { refusalOf } from './scim-refusals'

const docs = readFileSync(new URL('../../../../docs/reference/errors.md', import.meta.url), 'utf8')
const [, section = ''] = docs.split('\n## SCIM\n')

/** Names and statuses of the table of refusals of SCIM. */
const named = [...section.matchAll(/^\| `([A-Za-z_]+)` \| (\d{3}) \|/gm)].map(([, scimType = '', status]) => ({
  scimType,
  status: Number(status),
}))
/** Statuses that RFC 7644 has no name for, as the same section lists them. */
const [, listed = ''] = /has no name for \(([^)]*)\)/.exec(section) ?? []
const nameless = [...listed.matchAll(/\d{3}/g)].map(([status]) => Number(status))

const unknown = refusalOf({ status: 418, scimType: null })

describe('the words for what a directory was refused', () => {
  it('are there for every name and status that the service answers it with', () => {
    expect(named.length).toBeGreaterThan(9)
    expect(nameless).toEqual(expect.arrayContaining([401, 403, 404, 413, 415, 429, 503]))
    const said = [...named, ...nameless.map((status) => ({ status, scimType: null }))]
    expect(said.filter((refusal) => [unknown, undefined].includes(refusalOf(refusal)))).toEqual([])
  })

  it('are others for each name, and none for what was granted', () => {
    const words = named.map((refusal) => refusalOf(refusal))
    expect(new Set(words).size).toBe(words.length)
    expect(refusalOf({ status: 204, scimType: null })).toBeUndefined()
  })

  it('say for a name of a later version what its status says', () => {
    expect(refusalOf({ status: 404, scimType: 'ofALaterVersion' })).toBe(refusalOf({ status: 404, scimType: null }))
    expect(refusalOf({ status: 400, scimType: 'constructor' })).toBe(unknown)
    expect(refusalOf({ status: 500, scimType: null })).toContain('our side')
  })
})
