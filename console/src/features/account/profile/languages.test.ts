import { describe, expect, it } from 'vitest'
import { languageOptions } from './languages'

describe('languageOptions', () => {
  it('names the languages and sorts them', () => {
    const options = languageOptions(null)
    expect(options).toContainEqual({ value: 'de-AT', label: 'German (Austria)' })
    const labels = options.map(({ label }) => label)
    expect(labels).toEqual([...labels].sort((a, b) => a.localeCompare(b, 'en')))
  })

  it('keeps a stored tag that is not offered', () => {
    expect(languageOptions('gsw-u-co')).toContainEqual({ value: 'gsw-u-co', label: expect.any(String) })
    expect(languageOptions('is')).toContainEqual({ value: 'is', label: 'Icelandic' })
    expect(languageOptions('not-a-tag-x')).toContainEqual({ value: 'not-a-tag-x', label: 'not-a-tag-x' })
    expect(languageOptions('de')).toHaveLength(languageOptions(null).length)
  })
})
