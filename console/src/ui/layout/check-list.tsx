import type { ReactNode } from 'react'
import { Icon, type IconName } from '../icons/icon'
import styles from './check-list.module.css'

export interface Check {
  state: 'good' | 'attention' | 'failed' | 'open'
  title: string
  /** beside the title */
  badge?: ReactNode
  text: ReactNode
  action?: ReactNode
}

/** Returns whether the title must say what the color shows. */
export const isProblem = (state: Check['state']) => state === 'attention' || state === 'failed'

const icons: Record<Check['state'], IconName> = { good: 'done', attention: 'warning', failed: 'alert', open: 'circle' }

/** Lists completed and open tasks, each with a link. Words repeat what the color shows. @param compact true for titles without their text */
export function CheckList({ checks, compact = false }: { checks: Check[]; compact?: boolean }) {
  return (
    <ul className={styles.list}>
      {checks.map(({ state, title, badge, text, action }) => (
        <li key={title} className={styles.check}>
          <span className={styles.icon} data-state={state}>
            <Icon name={icons[state]} />
          </span>
          <div className={styles.text}>
            <p className={styles.title}>
              {title}
              {badge}
            </p>
            {!compact && <div className={styles.about}>{text}</div>}
          </div>
          {action}
        </li>
      ))}
    </ul>
  )
}
