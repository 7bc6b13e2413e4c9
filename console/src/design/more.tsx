import type { ReactNode } from 'react'
import styles from './more.module.css'

/** Details that most readers can do without, a click away. */
export function More({ summary, children }: { summary: ReactNode; children: ReactNode }) {
  return (
    <details className={styles.more}>
      <summary>{summary}</summary>
      {children}
    </details>
  )
}
