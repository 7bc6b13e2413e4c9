import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { explain } from '../../../api/explain'
import { Problem } from '../../../api/problem'
import m from '../../../messages/en/ldap.json'
import runs from '../../../messages/en/ldap-runs.json'

const read = (path: string) => readFileSync(new URL(`../../../../../${path}`, import.meta.url), 'utf8')

const codes = [...read('docs/reference/errors.md').matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, code = '']) => code)

/** A property of the API description, which lists its values: `a, b or c`. */
interface Described {
  description?: string
  anyOf?: Described[]
  properties?: Record<string, Described>
}
const { components, paths } = JSON.parse(read('server/openapi.json'))
const run = (components.schemas.DirectoryRun as Required<Described>).properties
const descriptionOf = (field: Described | undefined): string =>
  field?.description ?? field?.anyOf?.[0]?.description ?? ''
const valuesIn = (text: string) => text.split(/, | or /).filter((value) => /^[a-z_]+$/.test(value))

const unknown = 'no_such_code'

describe('the catalogues about LDAP', () => {
  it('explains every error code of directories', () => {
    const own = codes.filter((code) => code.startsWith('directory_'))
    expect(own.length).toBeGreaterThan(3)
    expect(own.filter((code) => explain(new Problem({ code, status: 400, detail: unknown })) === unknown)).toEqual([])
  })

  it('explains every cause of a failed run', () => {
    const causes = valuesIn(descriptionOf(run.error).replace(/^[^:]*: /, ''))
    expect(causes).toContain('leavers_unconfirmed')
    const all = [...causes, 'directory_disabled', 'directory_orphaned', 'forbidden', 'stale_version']
    expect(all.filter((code) => runs.causeTitle({ code }) === runs.causeTitle({ code: unknown }))).toEqual([])
    expect(all.filter((code) => runs.causeFix({ code }) === runs.causeFix({ code: unknown }))).toEqual([])
  })

  it('names every phase and every planned change', () => {
    const phases = valuesIn(descriptionOf(run.phase))
    expect(phases).toContain('leavers')
    expect(phases.filter((phase) => runs.phase({ phase }) === phase)).toEqual([])
    const planned = valuesIn(descriptionOf(run.planned).replace(/^.*: /, ''))
    expect(planned).toContain('empty_group')
    expect(planned.filter((what) => runs.planned({ what }) === what)).toEqual([])
  })

  it('names every check and its result, without a result in the name of the check', () => {
    const response = paths['/api/v1/directory/ldap/test'].post.responses[200].content['application/json'].schema
    const { id, status } = response.properties.checks.items.properties
    const checks = valuesIn(descriptionOf(id))
    expect(checks).toContain('search')
    expect(checks.filter((check) => m.check({ id: check }) === check)).toEqual([])
    for (const check of checks) expect(m.check({ id: check })).not.toMatch(/^Its? |\b(?:is|was|has|can|shows)\b/)
    const states = valuesIn(descriptionOf(status))
    expect(states.filter((state) => m.checkState({ status: state }) === state)).toEqual([])
  })
})
