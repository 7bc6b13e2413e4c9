import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { contrast, mix, readable, textOn } from './colour'
import { brandTokens, grounds, type Scheme } from './tokens'

const brands = [
  '#ffd400',
  '#ffffff',
  '#000000',
  '#0b3d91',
  '#ff7300',
  '#e64980',
  '#12b886',
  '#7950f2',
  '#808080',
  '#00ffff',
  '#fff',
]
const schemes: Scheme[] = ['light', 'dark']
const cases = brands.flatMap((brand) => schemes.map((scheme) => [brand, scheme] as const))

const css = readFileSync(new URL('../document/tokens.css', import.meta.url), 'utf8')

/** The variables of one color scheme in `tokens.css`. */
function fixedTokens(scheme: Scheme): Record<string, string> {
  const [, block = ''] = new RegExp(`\\[data-mantine-color-scheme="${scheme}"\\] \\{([^}]*)\\}`).exec(css) ?? []
  return Object.fromEntries([...block.matchAll(/(--kw-[\w-]+): ([^;]+);/g)].map(([, name, value]) => [name, value]))
}

const surfaces = (scheme: Scheme) => Object.values(grounds[scheme])

describe('tokens.css', () => {
  it.each(schemes)('has the surfaces that the brand shades are computed for (%s)', (scheme) => {
    const fixed = fixedTokens(scheme)
    for (const [name, color] of Object.entries(grounds[scheme])) expect(fixed[`--kw-${name}`]).toBe(color)
  })

  it.each(schemes)('keeps text colors readable on all surfaces (4.5:1, %s)', (scheme) => {
    const fixed = fixedTokens(scheme)
    for (const name of ['text', 'text-2', 'text-3', 'ok', 'warn', 'bad'])
      for (const surface of [...surfaces(scheme), fixed['--kw-inset'], fixed['--kw-hover']])
        expect(contrast(fixed[`--kw-${name}`] ?? '', surface ?? '')).toBeGreaterThanOrEqual(4.5)
    for (const name of ['ok', 'warn', 'bad'])
      expect(contrast(fixed[`--kw-${name}`] ?? '', fixed[`--kw-${name}-bg`] ?? '')).toBeGreaterThanOrEqual(4.5)
    for (let hue = 1; hue <= 8; hue++)
      expect(contrast(fixed[`--kw-h${hue}t`] ?? '', fixed[`--kw-h${hue}`] ?? '')).toBeGreaterThanOrEqual(4.5)
    expect(contrast('#ffffff', fixed['--kw-bad-fill'] ?? '')).toBeGreaterThanOrEqual(4.5)
    expect(contrast(fixed['--kw-invert-text'] ?? '', fixed['--kw-invert'] ?? '')).toBeGreaterThanOrEqual(4.5)
    expect(contrast(fixed['--kw-text-2'] ?? '', fixed['--kw-neutral-bg'] ?? '')).toBeGreaterThanOrEqual(4.5)
  })

  it.each(schemes)('keeps the edges of fields visible (3:1, %s)', (scheme) => {
    for (const surface of surfaces(scheme))
      expect(contrast(fixedTokens(scheme)['--kw-field'] ?? '', surface)).toBeGreaterThanOrEqual(3)
  })
})

describe('brandTokens', () => {
  it.each(cases)('%s keeps links readable (4.5:1) in %s', (brand, scheme) => {
    const tokens = brandTokens(scheme, brand)
    for (const ground of [...surfaces(scheme), tokens['--kw-tint'], tokens['--kw-selected-hover']])
      expect(contrast(tokens['--kw-link'] ?? '', ground ?? '')).toBeGreaterThanOrEqual(4.5)
    const fixed = fixedTokens(scheme)
    for (const name of ['text', 'text-2'])
      expect(contrast(fixed[`--kw-${name}`] ?? '', tokens['--kw-selected'] ?? '')).toBeGreaterThanOrEqual(4.5)
  })

  it.each(cases)('%s keeps button labels readable, also while hovered, in %s', (brand, scheme) => {
    const tokens = brandTokens(scheme, brand)
    const text = tokens['--kw-on-primary'] ?? ''
    expect(contrast(text, tokens['--kw-primary'] ?? '')).toBeGreaterThanOrEqual(4.5)
    expect(contrast(text, tokens['--kw-primary-hover'] ?? '')).toBeGreaterThanOrEqual(4.5)
    expect(
      contrast(tokens['--mantine-primary-color-contrast'] ?? '', tokens['--mantine-primary-color-filled'] ?? ''),
    ).toBeGreaterThanOrEqual(4.5)
  })

  it.each(brands)('%s keeps the fill of buttons visible on a dark card (3:1)', (brand) => {
    const tokens = brandTokens('dark', brand)
    expect(contrast(tokens['--kw-primary'] ?? '', grounds.dark.card)).toBeGreaterThanOrEqual(3)
  })

  it.each(cases)('%s keeps the focus ring visible (3:1) in %s', (brand, scheme) => {
    for (const surface of surfaces(scheme))
      expect(contrast(brandTokens(scheme, brand)['--kw-focus'] ?? '', surface)).toBeGreaterThanOrEqual(3)
  })
})

describe('color arithmetic', () => {
  it('returns the contrast ratios of WCAG', () => {
    expect(contrast('#000', '#fff')).toBeCloseTo(21)
    expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
  })

  it('leaves a readable color unchanged', () => {
    expect(readable('#0b3d91', ['#ffffff'], 4.6)).toBe('#0b3d91')
  })

  it('mixes colors and chooses the color of text', () => {
    expect(mix('#000000', '#ffffff', 0.5)).toBe('#808080')
    expect(textOn('#ffd400')).toBe('#000000')
    expect(textOn('#0b3d91')).toBe('#ffffff')
  })
})
