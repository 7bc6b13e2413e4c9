import type { ReactNode } from 'react'
import styles from './empty-state.module.css'
import { Icon, type IconName } from './icons/icon'

interface Props {
  icon: IconName
  /** one sentence about the future content */
  text: string
  /** the button that creates the first object */
  action?: ReactNode
}

export function EmptyState({ icon, text, action }: Props) {
  return (
    <div className={styles.empty}>
      <Icon name={icon} size={16} />
      <p>{text}</p>
      {action}
    </div>
  )
}
