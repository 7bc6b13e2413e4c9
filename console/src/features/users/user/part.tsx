import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { explain } from '../../../api/explain'
import { asProblem, Problem } from '../../../api/problem'
import styles from './part.module.css'

interface Props {
  title: string
  count?: number | undefined
  action?: ReactNode
  children: ReactNode
}

/** A part of the details of a user, in the drawer and on the page. */
export function Part({ title, count, action, children }: Props) {
  return (
    <section className={styles.part}>
      <div className={styles.head}>
        <h2 className={styles.title}>
          {title} {count !== undefined && <span className={styles.count}>{count}</span>}
        </h2>
        {action}
      </div>
      {children}
    </section>
  )
}

/** A quiet button at the end of a part's title. */
export function PartAction({ name, run }: { name: string; run: () => void }) {
  return (
    <Button variant="subtle" size="compact-xs" onClick={run}>
      {name}
    </Button>
  )
}

export function PartError({ error }: { error: unknown }) {
  return <p className={styles.muted}>{explain(asProblem(error))}</p>
}

/** In place of a tab that the administrator may not see, and opened by its URL. */
export const DeniedPart = ({ title }: { title: string }) => (
  <Part title={title}>
    <PartError error={new Problem({ code: 'forbidden', status: 403 })} />
  </Part>
)
