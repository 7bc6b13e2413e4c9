import type { ReactNode } from 'react'
import styles from './more.module.css'

interface Props {
  summary: ReactNode
  children: ReactNode
  /** open from the start */
  open?: boolean
}

/** Additional details, one click away. */
export function More({ summary, children, open = false }: Props) {
  return (
    <details className={styles.more} open={open}>
      <summary>{summary}</summary>
      {children}
    </details>
  )
}
