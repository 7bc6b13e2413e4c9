import type { CSSProperties } from 'react'
import styles from './monogram.module.css'

interface Props {
  of: string
  size?: number
  /** users are round, teams and applications are square */
  round?: boolean
  /** in the brand color instead of one that is derived from the name */
  brand?: boolean
}

const HUES = 8

/** A stable number from 1 to 8 for a name. */
function hueOf(name: string): number {
  let hash = 0
  for (const character of name.trim().toLowerCase()) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0
  return (hash % HUES) + 1
}

/** Two initials of a user, one letter of anything else. */
function lettersOf(name: string, round: boolean): string {
  const words = name.trim().split(/[\s@.]+/)
  const initials = (round && !name.includes('@') ? [words[0], words.length > 1 ? words.at(-1) : ''] : [words[0]])
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
  return initials.toUpperCase()
}

/** The initials of a name, beside the name. Decoration: drawn by the style sheet, so that it is not text. */
export function Monogram({ of, size = 40, round = false, brand = false }: Props) {
  const hue = hueOf(of)
  const colors = brand
    ? { background: 'var(--kw-primary)', color: 'var(--kw-on-primary)' }
    : { background: `var(--kw-h${hue})`, color: `var(--kw-h${hue}t)` }
  return (
    <span
      className={styles.monogram}
      style={{ '--size': `${size}px`, ...colors } as CSSProperties}
      data-round={round || undefined}
      data-letter={lettersOf(of, round)}
      aria-hidden="true"
    />
  )
}
