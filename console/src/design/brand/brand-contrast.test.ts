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
const cases = brands.flatMap((brand) => (['light', 'dark'] as Scheme[]).map((scheme) => [brand, scheme] as const))

describe('whatever brand colour an administrator chooses', () => {
  it.each(cases)('%s leaves every text readable (4.5:1) in %s', (brand, scheme) => {
    const tokens = brandTokens(scheme, brand) as Record<string, string>
    const { page, card } = grounds[scheme]
    for (const name of ['brand', 'red', 'green', 'yellow', 'blue', 'gray']) {
      const text = tokens[`--mantine-color-${name}-text`] as string
      for (const ground of [
        page,
        card,
        tokens[`--mantine-color-${name}-light`],
        tokens[`--mantine-color-${name}-light-hover`],
      ]) {
        expect(contrast(text, ground as string)).toBeGreaterThanOrEqual(4.5)
      }
      const filled = tokens[`--mantine-color-${name}-filled`] as string
      expect(contrast(tokens[`--kw-${name}-on-filled`] as string, filled)).toBeGreaterThanOrEqual(4.5)
    }
    for (const name of [
      '--mantine-color-text',
      '--mantine-color-dimmed',
      '--mantine-color-placeholder',
      '--mantine-color-error',
    ]) {
      expect(contrast(tokens[name] as string, page)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(tokens[name] as string, card)).toBeGreaterThanOrEqual(4.5)
    }
  })

  it.each(cases)('%s leaves the button text readable, at rest and under the pointer, in %s', (brand, scheme) => {
    const tokens = brandTokens(scheme, brand) as Record<string, string>
    expect(contrast(tokens['--kw-on-fill'] as string, tokens['--kw-fill'] as string)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(tokens['--kw-on-fill'] as string, tokens['--kw-fill-hover'] as string)).toBeGreaterThanOrEqual(4.5)
  })

  it.each(cases)('%s leaves focus ring, field edge and button edge visible (3:1) in %s', (brand, scheme) => {
    const tokens = brandTokens(scheme, brand) as Record<string, string>
    for (const name of ['--kw-strong', '--kw-field-line', '--mantine-color-default-border']) {
      expect(contrast(tokens[name] as string, grounds[scheme].page)).toBeGreaterThanOrEqual(3)
      expect(contrast(tokens[name] as string, grounds[scheme].card)).toBeGreaterThanOrEqual(3)
    }
  })
})

describe('colour arithmetic', () => {
  it('gives the ratios of WCAG', () => {
    expect(contrast('#000', '#fff')).toBeCloseTo(21)
    expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
  })

  it('leaves a colour that is readable already as it is', () => {
    expect(readable('#0b3d91', ['#ffffff'], 4.6)).toBe('#0b3d91')
  })

  it('mixes and chooses text', () => {
    expect(mix('#000000', '#ffffff', 0.5)).toBe('#808080')
    expect(textOn('#ffd400')).toBe('#000000')
    expect(textOn('#0b3d91')).toBe('#ffffff')
  })
})
