import styles from './mark.module.css'

/** The keyhole of the product, in the instance's color, for an instance without a logo. */
export function Mark({ size = 40 }: { size?: number }) {
  return (
    <svg className={styles.mark} width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect className={styles.plate} x="0.5" y="0.5" width="31" height="31" rx="9" />
      <path
        className={styles.keyhole}
        d="M16 7.5a5.6 5.6 0 0 0-2.7 10.5l-1.2 5.3a1 1 0 0 0 1 1.2h5.8a1 1 0 0 0 1-1.2L18.7 18A5.6 5.6 0 0 0 16 7.5z"
      />
    </svg>
  )
}
