import type { ReactNode } from 'react'
import { Icon, type IconName } from '../icons/icon'
import styles from './empty-state.module.css'

interface Props {
  icon: IconName
  /** one sentence about the future content */
  text: string
  /** the button that creates the first object */
  action?: ReactNode
  /** true for the list that a page is about: shows placeholders of its rows */
  preview?: boolean
}

export function EmptyState({ icon, text, action, preview = false }: Props) {
  return (
    <>
      <div className={styles.empty}>
        <Icon name={icon} />
        <p>{text}</p>
        {action}
      </div>
      {preview && (
        <ul className={styles.rows} aria-hidden="true">
          <li className={styles.row} />
          <li className={styles.row} />
        </ul>
      )}
    </>
  )
}
