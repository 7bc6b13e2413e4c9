import type { ReactNode } from 'react'
import { boot } from '../boot'
import styles from './auth-layout.module.css'
import { Logo } from './logo'
import { PageHeading } from './page-heading'

interface Props {
  heading: string
  /** title of the window, if it is not the heading */
  title?: string
  /** the logo of the requesting application, above the heading */
  emblem?: ReactNode
  /** one sentence about the page */
  lead?: ReactNode
  /** replaces the lead; its line is reserved, so that nothing moves when it appears */
  message?: ReactNode
  /** for two columns */
  wide?: boolean
  children?: ReactNode
  /** links to related pages, in the footer of the card */
  below?: ReactNode
}

/** The frame of public pages: one card, one heading, one task. */
export function AuthLayout({ heading, title = heading, emblem, lead, message, wide = false, children, below }: Props) {
  return (
    <div className={styles.frame}>
      <main id="page" className={styles.main} data-wide={wide || undefined} tabIndex={-1}>
        <div className={styles.card}>
          <div className={styles.brand}>
            <Logo size={28} {...(boot.team && { of: boot.team })} />
          </div>
          {emblem && <div className={styles.emblem}>{emblem}</div>}
          <PageHeading title={title}>{heading}</PageHeading>
          {(lead || message !== undefined) && (
            <div className={styles.lead} data-roomy={message !== undefined || undefined}>
              {message || lead}
            </div>
          )}
          {children && <div className={styles.content}>{children}</div>}
          {below && <div className={styles.below}>{below}</div>}
        </div>
      </main>
    </div>
  )
}
