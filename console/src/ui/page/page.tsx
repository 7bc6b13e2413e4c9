import type { ReactNode } from 'react'
import styles from './page.module.css'
import { type Crumb, PageHeader } from './page-header'

interface Props {
  title: string
  lead?: ReactNode
  crumbs?: readonly Crumb[]
  /** at the end of the header: a state, the main action */
  aside?: ReactNode
  children: ReactNode
}

/** A page of the console: its header and its content. */
export function Page({ title, lead, crumbs, aside, children }: Props) {
  return (
    <>
      <PageHeader heading={title} actions={aside} {...(crumbs && { crumbs })} />
      <div className={styles.content}>
        {lead && <p className={styles.lead}>{lead}</p>}
        {children}
      </div>
    </>
  )
}
