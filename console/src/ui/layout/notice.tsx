import type { ReactNode } from 'react'
import { Icon, type IconName } from '../icons/icon'
import styles from './notice.module.css'

type Kind = 'error' | 'warning' | 'success' | 'info'

const icons: Record<Kind, IconName> = { error: 'alert', warning: 'warning', success: 'done', info: 'info' }

interface Props {
  kind: Kind
  title?: string
  children?: ReactNode
}

/** A message within the page. Errors are announced immediately. */
export function Notice({ kind, title, children }: Props) {
  return (
    <div className={styles.notice} data-kind={kind} role={kind === 'error' ? 'alert' : undefined}>
      <Icon name={icons[kind]} />
      <div className={styles.text}>
        {title && <p className={styles.title}>{title}</p>}
        {children}
      </div>
    </div>
  )
}
