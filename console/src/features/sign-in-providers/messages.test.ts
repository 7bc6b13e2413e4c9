import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import m from '../../messages/en/sign-in-report.json'

const guide = readFileSync(new URL('../../../../docs/guides/single-sign-on.md', import.meta.url), 'utf8')
const namesIn = (text: string) => [...text.matchAll(/`([a-z_0-9]+)`/g)].map(([, name = '']) => name)

/** The first cells of the rows of a table. */
const firstCells = (text: string) => [...text.matchAll(/^\| (`[^|]*) \|/gm)].map(([, cell = '']) => cell)

describe('the catalogue of sign-in reports', () => {
  it('explains every rejection with a fix', () => {
    const [, list = ''] = /The callback page receives[^:]*:([\s\S]*?)\n\n/.exec(guide) ?? []
    const codes = namesIn(list)
    expect(codes).toContain('sso_idp_initiated')
    expect(codes.filter((code) => !m.rejection({ code }) || !m.rejectionFix({ code }))).toEqual([])
  })

  it('names every check, without a result in the name', () => {
    const tables = guide.split(/^\| Check/m).slice(1)
    const checks = tables.flatMap((table) => firstCells(table.split('\n\n')[0] ?? '').flatMap(namesIn))
    expect(checks).toContain('used_once')
    expect(checks.filter((id) => m.check({ id }) === id)).toEqual([])
    for (const id of checks) expect(m.check({ id })).not.toMatch(/^Its? |\b(?:is|was|has|agrees)\b/)
    expect(m.checkResult({ state: m.state({ status: 'failed' }), check: m.check({ id: 'signature' }) })).toBe(
      'Failed: Signature',
    )
  })
})
