import type { ReactNode } from 'react'
import styles from './page.module.css'
import { PageHeading } from './page-heading'

interface Props {
  title: string
  lead?: ReactNode
  /** beside the title: a badge, the page's main action */
  aside?: ReactNode
  children: ReactNode
}

/** A page of the signed-in area: its heading and its panels. */
export function Page({ title, lead, aside, children }: Props) {
  return (
    <>
      <header className={styles.head}>
        <div>
          <PageHeading>{title}</PageHeading>
          {lead && <p className={styles.lead}>{lead}</p>}
        </div>
        {aside}
      </header>
      <div className={styles.panels}>{children}</div>
    </>
  )
}
