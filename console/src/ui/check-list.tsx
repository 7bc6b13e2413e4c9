import type { ReactNode } from 'react'
import styles from './check-list.module.css'
import { Icon, type IconName } from './icons/icon'

export interface Check {
  state: 'good' | 'attention' | 'failed' | 'open'
  title: string
  text: ReactNode
  action?: ReactNode
}

const icons: Record<Check['state'], IconName> = { good: 'done', attention: 'warning', failed: 'alert', open: 'circle' }

/** Lists completed and open tasks, each with a link. Words repeat what the color shows. */
export function CheckList({ checks }: { checks: Check[] }) {
  return (
    <ul className={styles.list}>
      {checks.map(({ state, title, text, action }) => (
        <li key={title} className={styles.check}>
          <span className={styles.icon} data-state={state}>
            <Icon name={icons[state]} size={16} />
          </span>
          <div className={styles.text}>
            <p className={styles.title}>{title}</p>
            <div className={styles.about}>{text}</div>
          </div>
          {action}
        </li>
      ))}
    </ul>
  )
}
