import styles from './monogram.module.css'

interface Props {
  of: string
  size?: number
  /** people are round, teams are square */
  round?: boolean
}

/** The first letter of a name, beside the name. Decoration: drawn by the style sheet, so that it is no text. */
export function Monogram({ of, size = 40, round = false }: Props) {
  return (
    <span
      className={styles.monogram}
      style={{ width: size, height: size, fontSize: size * 0.44 }}
      data-letter={[...of.trim()][0]?.toUpperCase()}
      data-round={round || undefined}
      aria-hidden="true"
    />
  )
}
