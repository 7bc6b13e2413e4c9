import type { ReactNode } from 'react'
import styles from './code-block.module.css'
import { CopyButton } from './copy-button'

interface Props {
  /** the title, and the accessible name */
  label: string
  code: string
  /** the value to copy, if it differs from the content */
  copy?: string
  /** shown in place of the code: the same text with colors */
  children?: ReactNode
  /** breaks long lines, for values that are one line */
  wrap?: boolean
  /** controls beside Copy */
  actions?: ReactNode
}

/** Code to read and copy. It scrolls inside itself, also by keyboard. */
export function CodeBlock({ label, code, copy = code, wrap = false, actions, children = code }: Props) {
  return (
    <div className={styles.block}>
      <div className={styles.head}>
        <span>{label}</span>
        <span className={styles.actions}>
          {actions}
          <CopyButton label={label} value={copy} />
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard (axe scrollable-region-focusable). */}
      <section className={styles.code} data-wrap={wrap || undefined} tabIndex={0} aria-label={label}>
        <pre>{children}</pre>
      </section>
    </div>
  )
}
