import { mix, readable, textOn } from './colour'

export type Scheme = 'light' | 'dark'

/** Surfaces with text on them: the values of `--kw-page`, `--kw-side`, `--kw-card` and `--kw-raised` in `tokens.css`. */
export const grounds = {
  light: { page: '#ffffff', side: '#fafafb', card: '#ffffff', raised: '#ffffff' },
  dark: { page: '#0f1012', side: '#141518', card: '#18191d', raised: '#1f2126' },
} as const satisfies Record<Scheme, { page: string; side: string; card: string; raised: string }>

/** State colors by their names in Mantine, with the prefix of their tokens in `tokens.css`. */
// Only red fills buttons.
const states = { red: 'bad', green: 'ok', yellow: 'warn' } as const

// WCAG requires 4.5 and 3; the rest allows for the rounding of mixed colors.
const textRatio = 4.6
const shapeRatio = 3.1

/** The shades of the brand color for each use. Text colors are readable on all surfaces and on the tint. */
function brandShades(scheme: Scheme, brand: string) {
  const surfaces = Object.values(grounds[scheme])
  const { card, raised } = grounds[scheme]
  const [tintShare, hoverShare] = scheme === 'light' ? [0.08, 0.13] : [0.16, 0.22]
  const tint = mix(card, brand, tintShare)
  const tintHover = mix(card, brand, hoverShare)
  return {
    tint,
    tintHover,
    // The color as it is, unless a dark card would hide it.
    fill: scheme === 'dark' ? readable(brand, [card], 3) : brand,
    link: readable(brand, [card, ...surfaces, tint, tintHover], textRatio),
    /** Shapes that must be visible: focus ring, switches, outlines */
    focus: readable(brand, [raised, ...surfaces], shapeRatio),
  }
}

/** Mantine's variables of a color whose text, tint and fill are given. */
const mantineColor = (name: string, [text, tint, tintHover, fill, fillHover]: string[]): Record<string, string> => ({
  [`--mantine-color-${name}-text`]: `${text}`,
  [`--mantine-color-${name}-outline`]: `${text}`,
  [`--mantine-color-${name}-light-color`]: `${text}`,
  [`--mantine-color-${name}-light`]: `${tint}`,
  [`--mantine-color-${name}-light-hover`]: `${tintHover}`,
  [`--mantine-color-${name}-filled`]: `${fill}`,
  [`--mantine-color-${name}-filled-hover`]: `${fillHover}`,
})

/**
 * The CSS variables that depend on the brand color, and Mantine's variables. Any brand color is possible: it only fills buttons,
 * with black or white text; everything else has a readable shade of it.
 * @param primary #rgb or #rrggbb
 */
export function brandTokens(scheme: Scheme, primary: string): Record<string, string> {
  const { tint, tintHover, fill, link, focus } = brandShades(scheme, primary)
  const onPrimary = textOn(fill)
  const onFocus = textOn(focus)
  const away = onPrimary === '#ffffff' ? '#000000' : '#ffffff'
  const focusHover = mix(focus, onFocus === '#ffffff' ? '#000000' : '#ffffff', 0.1)
  const tokens: Record<string, string> = {}
  for (const [name, state] of Object.entries(states)) {
    const [text, ground] = [`var(--kw-${state})`, `var(--kw-${state}-bg)`]
    Object.assign(tokens, mantineColor(name, [text, ground, ground, 'var(--kw-bad-fill)', 'var(--kw-bad)']))
  }
  const neutral = [
    'var(--kw-text-2)',
    'var(--kw-neutral-bg)',
    'var(--kw-active)',
    'var(--kw-text-3)',
    'var(--kw-text-2)',
  ]
  return Object.assign(
    tokens,
    mantineColor('gray', neutral),
    mantineColor('blue', [link, tint, tintHover, focus, focusHover]),
    mantineColor('brand', [link, tint, tintHover, focus, focusHover]),
    {
      '--kw-tint': tint,
      '--kw-selected': tint,
      '--kw-selected-hover': tintHover,
      '--kw-link': link,
      '--kw-focus': focus,
      '--kw-primary': fill,
      // Moves away from the label's color, so that the contrast only grows.
      '--kw-primary-hover': mix(fill, away, 0.12),
      '--kw-on-primary': onPrimary,
      '--mantine-color-body': 'var(--kw-page)',
      '--mantine-color-text': 'var(--kw-text)',
      '--mantine-color-dimmed': 'var(--kw-text-3)',
      '--mantine-color-placeholder': 'var(--kw-text-3)',
      '--mantine-color-anchor': link,
      '--mantine-color-error': 'var(--kw-bad)',
      '--mantine-primary-color-filled': focus,
      '--mantine-primary-color-filled-hover': focusHover,
      '--mantine-primary-color-contrast': onFocus,
      '--mantine-primary-color-light-color': link,
      '--mantine-color-default': 'var(--kw-card)',
      '--mantine-color-default-hover': 'var(--kw-hover)',
      '--mantine-color-default-color': 'var(--kw-text)',
      '--mantine-color-default-border': 'var(--kw-line-strong)',
      '--mantine-color-disabled': 'var(--kw-inset)',
      '--mantine-color-disabled-color': 'var(--kw-text-off)',
    },
  )
}
