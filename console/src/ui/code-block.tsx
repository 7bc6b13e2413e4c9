import type { ReactNode } from 'react'
import styles from './code-block.module.css'
import { CopyButton } from './copy-button'

interface Props {
  /** what it is: stands above it and names it */
  label: string
  code: string
  /** where the whole is not what should be copied */
  copy?: string
  /** breaks long lines, for values that are one line */
  wrap?: boolean
  /** controls beside Copy */
  actions?: ReactNode
}

/** Text for a machine, to be read and taken along. It scrolls inside itself, by keyboard too. */
export function CodeBlock({ label, code, copy = code, wrap = false, actions }: Props) {
  return (
    <div className={styles.block}>
      <div className={styles.head}>
        <span>{label}</span>
        <span className={styles.actions}>
          {actions}
          <CopyButton label={label} value={copy} />
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (axe scrollable-region-focusable). */}
      <section className={styles.code} data-wrap={wrap || undefined} tabIndex={0} aria-label={label}>
        <pre>{code}</pre>
      </section>
    </div>
  )
}
