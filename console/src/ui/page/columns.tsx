import type { ReactNode } from 'react'
import styles from './columns.module.css'

/** Two columns of panels. @param side the narrow column, which is below the other on small screens */
export function Columns({ children, side }: { children: ReactNode; side: ReactNode }) {
  return (
    <div className={styles.columns}>
      <div className={styles.column}>{children}</div>
      <div className={styles.column}>{side}</div>
    </div>
  )
}
