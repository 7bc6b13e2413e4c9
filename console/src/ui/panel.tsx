import type { ReactNode } from 'react'
import styles from './panel.module.css'

interface Props {
  title: string
  /** where the page's heading says it already, the title only names the panel */
  hideTitle?: boolean
  /** one sentence under the title */
  about?: ReactNode
  /** a control beside the title */
  action?: ReactNode
  children?: ReactNode
}

/** One subject of a page, in a card of its own. */
export function Panel({ title, hideTitle = false, about, action, children }: Props) {
  return (
    <section className={styles.panel} aria-label={hideTitle ? title : undefined}>
      {!hideTitle && (
        <div className={styles.head}>
          <div>
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
