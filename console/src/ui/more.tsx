import type { ReactNode } from 'react'
import styles from './more.module.css'

interface Props {
  summary: ReactNode
  children: ReactNode
  /** shown at first, where most readers need them after all */
  open?: boolean
}

/** Details that most readers can do without, a click away. */
export function More({ summary, children, open = false }: Props) {
  return (
    <details className={styles.more} open={open}>
      <summary>{summary}</summary>
      {children}
    </details>
  )
}
