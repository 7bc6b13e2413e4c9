import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { explain } from '../../api/explain'
import { Problem } from '../../api/problem'
import { ldapWords } from './ldap'
import { ldapRunWords } from './ldap-runs'

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')

const codes = [...read('docs/reference/errors.md').matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, code = '']) => code)

/** What the interface says of a value that is one of some words: `a, b or c`. */
interface Described {
  description?: string
  anyOf?: Described[]
  properties?: Record<string, Described>
}
const { components, paths } = JSON.parse(read('server/openapi.json'))
const run = (components.schemas.DirectoryRun as Required<Described>).properties
const said = (field: Described | undefined): string => field?.description ?? field?.anyOf?.[0]?.description ?? ''
const wordsIn = (text: string) => text.split(/, | or /).filter((word) => /^[a-z_]+$/.test(word))

const nothing = 'no_such_code'

describe('the words of LDAP directories', () => {
  it('are there for every code of a refusal', () => {
    const own = codes.filter((code) => code.startsWith('directory_'))
    expect(own.length).toBeGreaterThan(3)
    expect(own.filter((code) => explain(new Problem({ code, status: 400, detail: nothing })) === nothing)).toEqual([])
  })

  it('are there for everything by which a run can fail as a whole', () => {
    const causes = wordsIn(said(run.error).replace(/^[^:]*: /, ''))
    expect(causes).toContain('leavers_unconfirmed')
    const ofRuns = [...causes, 'directory_disabled', 'directory_orphaned', 'forbidden', 'stale_version']
    expect(ofRuns.filter((code) => ldapRunWords.cause(code) === ldapRunWords.cause(nothing))).toEqual([])
  })

  it('are there for every phase, and for everything that a dry run tells', () => {
    const phases = wordsIn(said(run.phase))
    expect(phases).toContain('leavers')
    expect(phases.filter((phase) => ldapRunWords.phase(phase) === phase)).toEqual([])
    const planned = wordsIn(said(run.planned).replace(/^.*: /, ''))
    expect(planned).toContain('empty_group')
    expect(planned.filter((what) => ldapRunWords.planned(what) === what)).toEqual([])
  })

  it('name every check of a directory, and how it came out', () => {
    const answer = paths['/api/v1/directory/ldap/test'].post.responses[200].content['application/json'].schema
    const { id, status } = answer.properties.checks.items.properties
    expect(wordsIn(said(id))).toContain('search')
    expect(wordsIn(said(id)).filter((check) => ldapWords.check(check) === check)).toEqual([])
    expect(wordsIn(said(status)).filter((state) => ldapWords.stateOf(state) === state)).toEqual([])
  })

  it('say how often it is read', () => {
    expect([0, 5, 60, 360, 1440, 2880, 10_080].map(ldapWords.every)).toEqual([
      'Only when somebody asks',
      'Every 5 minutes',
      'Every hour',
      'Every 6 hours',
      'Every day',
      'Every 2 days',
      'Every week',
    ])
  })
})
