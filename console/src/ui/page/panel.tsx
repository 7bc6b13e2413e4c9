import type { ReactNode } from 'react'
import styles from './panel.module.css'

interface Props {
  title: string
  /** true if the heading of the page says it already: the title only names the panel */
  hideTitle?: boolean
  /** one sentence below the title */
  about?: ReactNode
  /** a control beside the title */
  action?: ReactNode
  children?: ReactNode
}

/** A card with one subject. */
export function Panel({ title, hideTitle = false, about, action, children }: Props) {
  return (
    <section className={styles.panel} aria-label={hideTitle ? title : undefined}>
      {!hideTitle && (
        <div className={styles.head}>
          <div className={styles.names}>
            <h2 className={styles.title}>{title}</h2>
            {about && <p className={styles.about}>{about}</p>}
          </div>
          {action}
        </div>
      )}
      {children}
    </section>
  )
}
