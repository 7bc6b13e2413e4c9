import { mix, readable, textOn } from './colour'

export type Scheme = 'light' | 'dark'

/** The grounds that text may stand on. */
export const grounds = {
  light: { page: '#f6f7f9', card: '#ffffff' },
  dark: { page: '#17181b', card: '#1f2125' },
} as const satisfies Record<Scheme, { page: string; card: string }>

/** Meanings beside the brand, under the names that Mantine's components know them by. */
const meanings = { red: '#d42a2a', green: '#2f9e44', yellow: '#f08c00', blue: '#1971c2', gray: '#868e96' } as const

export const meaningNames = Object.keys(meanings)

// WCAG asks for 4.5 and 3; the rest is room for the rounding of mixed colours.
const textRatio = 4.6
const shapeRatio = 3.1

/** One colour in its uses. Every text colour is readable on the page, on cards and on its own tint. */
function shades(scheme: Scheme, colour: string) {
  const { page, card } = grounds[scheme]
  const [tintShare, hoverShare] = scheme === 'light' ? [0.08, 0.13] : [0.16, 0.22]
  const tint = mix(card, colour, tintShare)
  const tintHover = mix(card, colour, hoverShare)
  const strong = readable(colour, [card, page], shapeRatio)
  return {
    tint,
    tintHover,
    /** text and links */
    text: readable(colour, [card, page, tint, tintHover], textRatio),
    /** shapes that must be seen: focus ring, switches, outlines */
    strong,
    strongHover: mix(strong, textOn(strong) === '#ffffff' ? '#000000' : '#ffffff', 0.1),
    onStrong: textOn(strong),
  }
}

function mantineColour(scheme: Scheme, name: string, colour: string): Record<string, string> {
  const { tint, tintHover, text, strong, strongHover, onStrong } = shades(scheme, colour)
  return {
    [`--mantine-color-${name}-light`]: tint,
    [`--mantine-color-${name}-light-hover`]: tintHover,
    [`--mantine-color-${name}-light-color`]: text,
    [`--mantine-color-${name}-text`]: text,
    [`--mantine-color-${name}-outline`]: text,
    [`--mantine-color-${name}-filled`]: strong,
    [`--mantine-color-${name}-filled-hover`]: strongHover,
    [`--kw-${name}-on-filled`]: onStrong,
  }
}

/**
 * All colours of a page, from one brand colour. An administrator may choose any: the brand itself only fills buttons, under
 * black or white text; everywhere else a shade of it that is readable stands in.
 * @param primary #rgb or #rrggbb
 */
export function brandTokens(scheme: Scheme, primary: string): Record<string, string> {
  const { page, card } = grounds[scheme]
  const brand = shades(scheme, primary)
  const error = shades(scheme, meanings.red)
  const ink = scheme === 'light' ? '#1b1e23' : '#e4e5e8'
  const grey = '#868e96'
  const hoverGoal = textOn(primary) === '#ffffff' ? '#000000' : '#ffffff'
  const tokens: Record<string, string> = {}
  for (const [name, colour] of Object.entries(meanings)) Object.assign(tokens, mantineColour(scheme, name, colour))
  return Object.assign(tokens, mantineColour(scheme, 'brand', primary), {
    '--kw-page': page,
    '--kw-card': card,
    '--kw-line': scheme === 'light' ? '#e3e6ea' : '#33363c',
    '--kw-field-line': readable(grey, [card, page], shapeRatio),
    '--kw-tint': brand.tint,
    '--kw-brand-text': brand.text,
    '--kw-strong': brand.strong,
    '--kw-fill': primary,
    // Both moves go away from the text colour, so the contrast under the pointer only grows.
    '--kw-fill-hover': mix(primary, hoverGoal, 0.12),
    '--kw-on-fill': textOn(primary),
    '--mantine-color-body': page,
    '--mantine-color-text': ink,
    '--mantine-color-dimmed': readable(mix(grey, ink, 0.3), [card, page, brand.tint], textRatio),
    '--mantine-color-placeholder': readable(grey, [card, page], textRatio),
    '--mantine-color-anchor': brand.text,
    '--mantine-color-error': error.text,
    '--mantine-primary-color-filled': brand.strong,
    '--mantine-primary-color-filled-hover': brand.strongHover,
    '--mantine-primary-color-contrast': brand.onStrong,
    '--mantine-primary-color-light-color': brand.text,
    '--mantine-color-default': card,
    '--mantine-color-default-hover': mix(card, ink, 0.05),
    '--mantine-color-default-color': ink,
    '--mantine-color-default-border': readable(grey, [card, page], shapeRatio),
    '--mantine-color-disabled': mix(card, ink, 0.08),
    '--mantine-color-disabled-color': readable(grey, [mix(card, ink, 0.08)], textRatio),
  })
}
