import type { ReactNode } from 'react'
import styles from './empty-state.module.css'
import { Icon, type IconName } from './icons/icon'

interface Props {
  icon: IconName
  /** one sentence on what will be here */
  text: string
  /** the button that makes the first one */
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
