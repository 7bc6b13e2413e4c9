import type { ReactNode } from 'react'
import { boot } from '../boot'
import styles from './auth-layout.module.css'
import { Logo } from './logo'
import { PageHeading } from './page-heading'

interface Props {
  heading: string
  /** the window's title, where it is not the heading */
  title?: string
  /** the sign of who asks, above the heading */
  emblem?: ReactNode
  /** one sentence on what this page is for */
  lead?: ReactNode
  /** stands where the lead stands, in room that is kept free for it, so that nothing moves when it comes */
  message?: ReactNode
  /** for two things beside each other */
  wide?: boolean
  children?: ReactNode
  /** links to related pages, in the footer of the card */
  below?: ReactNode
}

/** The frame of every page that is met signed out: one card, one heading, one job. */
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
