import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core'
import { layoutWords } from '../../words'
import { isHexColour, mix } from './colour'
import { brandTokens, meaningNames } from './tokens'

const fallback = '#3b5bdb'

/** Mantine wants ten shades of its primary colour. The tokens replace every one that it would show. */
function tenShades(colour: string): MantineColorsTuple {
  const shade = (index: number) =>
    index < 6 ? mix('#ffffff', colour, (index + 1) / 7) : mix(colour, '#000000', (index - 6) / 8)
  return Array.from({ length: 10 }, (_, index) => shade(index)) as unknown as MantineColorsTuple
}

const dark: MantineColorsTuple = [
  '#e4e5e8',
  '#b9bcc2',
  '#9da1a9',
  '#7e838c',
  '#44484f',
  '#33363c',
  '#26282d',
  '#1f2125',
  '#17181b',
  '#111214',
]

const variantColors: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input)
  if (input.variant !== 'filled') return colors
  if (!input.color || input.color === 'brand') {
    return {
      ...colors,
      background: 'var(--kw-fill)',
      hover: 'var(--kw-fill-hover)',
      color: 'var(--kw-on-fill)',
      // A brand colour that equals the card would leave a button without an edge.
      border: '1px solid var(--kw-strong)',
    }
  }
  if (meaningNames.includes(input.color)) return { ...colors, color: `var(--kw-${input.color}-on-filled)` }
  return colors
}

/** @param primary the instance's brand colour; anything that is no hex colour gives ours */
export function brandTheme(primary: string) {
  const brand = isHexColour(primary) ? primary : fallback
  const theme = createTheme({
    colors: { brand: tenShades(brand), dark },
    primaryColor: 'brand',
    fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif',
    fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
    defaultRadius: 'md',
    respectReducedMotion: true,
    variantColorResolver: variantColors,
    // Plain records: naming the components themselves would load all of them with the sign-in page.
    components: {
      Button: { defaultProps: { variant: 'filled', color: 'brand' } },
      // Its placeholder for the first focus is an element that no menu may hold.
      Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
      Badge: { defaultProps: { variant: 'light', color: 'gray', tt: 'none', fw: 600 } },
      Modal: { defaultProps: { centered: true, radius: 'lg', closeButtonProps: { 'aria-label': layoutWords.close } } },
    },
  })
  const resolver: CSSVariablesResolver = () => ({
    variables: {},
    light: brandTokens('light', brand),
    dark: brandTokens('dark', brand),
  })
  return { theme, resolver }
}
