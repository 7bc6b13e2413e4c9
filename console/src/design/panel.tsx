import type { ReactNode } from 'react'
import styles from './panel.module.css'

interface Props {
  title: string
  /** one sentence under the title */
  about?: ReactNode
  /** a control beside the title */
  action?: ReactNode
  children: ReactNode
}

/** One subject of a page, in a card of its own. */
export function Panel({ title, about, action, children }: Props) {
  return (
    <section className={styles.panel}>
      <div className={styles.head}>
        <div>
          <h2 className={styles.title}>{title}</h2>
          {about && <p className={styles.about}>{about}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}
