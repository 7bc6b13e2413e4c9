import styles from './team-sign.module.css'

/** The first letter of a team in its square, beside its name. */
export function TeamSign({ name, size = 40 }: { name: string; size?: number }) {
  return (
    <span className={styles.sign} style={{ width: size, height: size, fontSize: size * 0.45 }} aria-hidden="true">
      {[...name.trim()][0]?.toUpperCase()}
    </span>
  )
}
