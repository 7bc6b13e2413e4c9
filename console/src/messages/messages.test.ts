import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import common from './en/common.json'

describe('message catalogues', () => {
  it('chooses plural forms and formats numbers', () => {
    expect(common.changes({ count: 1 })).toBe('1 unsaved change')
    expect(common.changes({ count: 3 })).toBe('3 unsaved changes')
    expect(common.range({ from: 1, to: 50, total: 10_000 })).toBe('1–50 of 10,000')
    expect(common.removeFilter({ name: 'Status' })).toBe('Remove filter Status')
  })
})

describe('the catalogues in English', () => {
  const sources = readdirSync(new URL('..', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.json.ts'))
    .map((name) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'))
  const files = readdirSync(new URL('en', import.meta.url)).filter((name) => name.endsWith('.json'))

  it.each(files)('%s has no message without a use', (file) => {
    const users = sources.filter((source) => source.includes(`messages/en/${file}'`))
    const names = Object.keys(JSON.parse(readFileSync(new URL(`en/${file}`, import.meta.url), 'utf8')))
    expect(names.filter((name) => !users.some((source) => new RegExp(`\\.${name}\\b`).test(source)))).toEqual([])
  })
})
