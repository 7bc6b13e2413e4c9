import type { ReactNode } from 'react'
import { Monogram } from '../values/monogram'
import styles from './account-row.module.css'

interface Props {
  email: string
  /** in place of the email address, which then follows below */
  name?: string | null | undefined
  about?: string | undefined
  /** beside `about` */
  badge?: ReactNode
  /** a button at the end */
  children?: ReactNode
}

/** The account of a page, in one row. */
export function AccountRow({ email, name, about = name ? email : undefined, badge, children }: Props) {
  return (
    <div className={styles.row}>
      <Monogram of={name || email.replace(/@.*/, '')} size={32} round />
      <div className={styles.text}>
        <b className={styles.title}>{name || email}</b>
        {(about || badge) && (
          <div className={styles.second}>
            <span className={styles.about} title={about}>
              {about}
            </span>
            {badge}
          </div>
        )}
      </div>
      {children}
    </div>
  )
}

interface SwitchProps {
  label: string
  /** the whole action, for assistive technology */
  name: string
  disabled?: boolean
  onClick: () => unknown
}

/** The button of a row that changes the account. */
export function SwitchAccount({ label, name, ...button }: SwitchProps) {
  return (
    <button type="button" className={styles.action} aria-label={name} {...button}>
      {label}
    </button>
  )
}
