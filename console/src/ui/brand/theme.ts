import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core'
import common from '../../messages/en/common.json'
import { isHexColour, mix } from './colour'
import { brandTokens } from './tokens'

const fallback = '#4059dd'

/** The ten shades that Mantine requires of its primary color. The tokens replace every one that is visible. */
function tenShades(colour: string): MantineColorsTuple {
  const shade = (index: number) =>
    index < 6 ? mix('#ffffff', colour, (index + 1) / 7) : mix(colour, '#000000', (index - 6) / 8)
  return Array.from({ length: 10 }, (_, index) => shade(index)) as unknown as MantineColorsTuple
}

/** Text 0 to 3, line 4, raised 5, card 6, sidebar 7, page 8. */
const dark: MantineColorsTuple = [
  '#eeeff3',
  '#bfc3cd',
  '#9499a6',
  '#5b5f69',
  '#26282e',
  '#1f2126',
  '#18191d',
  '#141518',
  '#0f1012',
  '#0a0b0c',
]

const gray: MantineColorsTuple = [
  '#fafafb',
  '#f4f4f6',
  '#ececf0',
  '#e5e6eb',
  '#d6d8df',
  '#a4a8b3',
  '#8b919c',
  '#626873',
  '#41454f',
  '#15171c',
]

const variantColors: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input)
  if (input.variant !== 'filled') return colors
  if (!input.color || input.color === 'brand') {
    return {
      ...colors,
      background: 'var(--kw-primary)',
      hover: 'var(--kw-primary-hover)',
      color: 'var(--kw-on-primary)',
      // A fill in the color of the card would have no visible edge.
      border: '1px solid var(--kw-focus)',
    }
  }
  return input.color === 'red' ? { ...colors, hover: 'var(--kw-bad-fill)', color: '#ffffff' } : colors
}

const transition = { duration: 120, timingFunction: 'cubic-bezier(0.2, 0, 0, 1)' }

// A field that a dialog focuses does not cover the buttons of the dialog; a click, an arrow key or a letter opens its choices.
const choiceProps = { openOnFocus: false, nothingFoundMessage: common.noRows() }

/** @param primary the instance's brand color; the product's color replaces anything that is not a hex color */
export function brandTheme(primary: string) {
  const brand = isHexColour(primary) ? primary : fallback
  const theme = createTheme({
    colors: { brand: tenShades(brand), dark, gray },
    primaryColor: 'brand',
    primaryShade: 6,
    black: '#15171c',
    fontFamily:
      '"Inter Variable", "Inter Fallback", system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif',
    fontFamilyMonospace:
      'ui-monospace, "SF Mono", Menlo, "Cascadia Mono", Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace',
    fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
    lineHeights: { xs: '1.333', sm: '1.538', md: '1.429', lg: '1.5', xl: '1.4' },
    spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.25rem', xl: '1.75rem' },
    radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '999px' },
    shadows: {
      xs: 'var(--kw-sh-xs)',
      sm: 'var(--kw-sh-sm)',
      md: 'var(--kw-sh-md)',
      lg: 'var(--kw-sh-lg)',
      xl: 'var(--kw-sh-lg)',
    },
    headings: {
      fontWeight: '600',
      sizes: {
        h1: { fontSize: '1.25rem', lineHeight: '1.75rem' },
        h2: { fontSize: '0.875rem', lineHeight: '1.25rem' },
        h3: { fontSize: '0.8125rem', lineHeight: '1.25rem' },
      },
    },
    defaultRadius: 'sm',
    respectReducedMotion: true,
    variantColorResolver: variantColors,
    // Plain records: naming the components themselves would load all of them with the sign-in page.
    components: {
      Button: { defaultProps: { variant: 'filled', color: 'brand' } },
      // Its placeholder for the first focus is an element that no menu may hold.
      Menu: {
        defaultProps: { withInitialFocusPlaceholder: false, shadow: 'md', radius: 'md', transitionProps: transition },
      },
      Select: { defaultProps: choiceProps },
      MultiSelect: { defaultProps: choiceProps },
      Badge: { defaultProps: { variant: 'light', color: 'gray', tt: 'none', fw: 500, radius: 'sm' } },
      Checkbox: { defaultProps: { radius: 'xs', iconColor: 'var(--mantine-primary-color-contrast)' } },
      Modal: {
        defaultProps: {
          centered: true,
          radius: 'lg',
          transitionProps: transition,
          closeButtonProps: { 'aria-label': common.close() },
        },
      },
      Notification: { defaultProps: { closeButtonProps: { 'aria-label': common.close() } } },
      Drawer: {
        defaultProps: { transitionProps: transition, closeButtonProps: { 'aria-label': common.close() } },
      },
    },
  })
  const resolver: CSSVariablesResolver = () => ({
    variables: {},
    light: brandTokens('light', brand),
    dark: brandTokens('dark', brand),
  })
  return { theme, resolver }
}
