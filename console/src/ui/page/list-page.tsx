import type { ReactNode } from 'react'
import styles from './list-page.module.css'
import { PageHeader } from './page-header'

interface Props {
  title: string
  /** number of objects; not shown while it is unknown */
  count?: number | undefined
  actions?: ReactNode
  toolbar?: ReactNode
  /** the details of the open row */
  drawer?: ReactNode
  children: ReactNode
}

/** A page with one list over its whole width, and the details of a row beside it. */
export function ListPage({ title, count, actions, toolbar, drawer, children }: Props) {
  return (
    <>
      <PageHeader
        heading={title}
        badges={count !== undefined && <span className={styles.count}>{count.toLocaleString('en')}</span>}
        actions={actions}
      />
      <div className={styles.split}>
        <section className={styles.list} aria-label={title}>
          {toolbar}
          {children}
        </section>
        {drawer}
      </div>
    </>
  )
}
