import type { ReactNode } from 'react'
import { Icon, type IconName } from '../../../ui/icons/icon'
import rows from '../../../ui/page/item-row.module.css'
import { StatusBadge, type Tone } from '../../../ui/values/status-badge'
import styles from './method-row.module.css'

interface Props {
  icon: IconName
  name: string
  /** absent for a method without an entry */
  state?: { tone: Tone; text: string } | undefined
  about: ReactNode
  action: ReactNode
  /** the entries of the method, such as the passkeys */
  children?: ReactNode
}

/** A sign-in method of the account: its state, one action, and its entries below. */
export function MethodRow({ icon, name, state, about, action, children }: Props) {
  return (
    <li className={styles.method}>
      <span className={rows.icon}>
        <Icon name={icon} />
      </span>
      <div className={styles.text}>
        <div className={styles.title}>
          <h3 className={styles.name}>{name}</h3>
          {state && <StatusBadge tone={state.tone}>{state.text}</StatusBadge>}
        </div>
        <p className={styles.about}>{about}</p>
      </div>
      <div className={styles.action}>{action}</div>
      {children && <div className={styles.entries}>{children}</div>}
    </li>
  )
}
