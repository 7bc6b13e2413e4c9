import type { ReactNode } from 'react'
import { boot } from '../../boot'
import { Icon, type IconName } from '../icons/icon'
import { PageHeading } from '../page/page-heading'
import parts from '../public/parts.module.css'
import styles from './auth-layout.module.css'
import { type Branded, useBrandColor } from './brand-color'
import { Logo } from './logo'
import { PageFooter } from './page-footer'

interface Props {
  heading: string
  /** title of the window, if it is not the heading */
  title?: string
  /** the team whose logo and color the page has, if not that of the request */
  team?: Branded | undefined
  /** in place of the logo */
  emblem?: ReactNode
  /** above the heading of a result */
  glyph?: IconName
  glyphKind?: 'ok' | 'bad'
  /** one sentence about the page */
  lead?: ReactNode
  /** shows the lead above a message, too, because the lead names who asks */
  keepsLead?: boolean
  /** replaces the lead; its line is reserved, so that nothing moves when it appears */
  message?: ReactNode
  /** for content that needs 440 px */
  wide?: boolean
  children?: ReactNode
  /** links to related pages, in the footer of the card */
  below?: ReactNode
}

/** The frame of public pages: one card, one heading, one task. */
export function AuthLayout(props: Props) {
  const { heading, title = heading, team = boot.team, emblem, glyph, glyphKind, lead, message, children, below } = props
  useBrandColor(props.team)
  return (
    <div className={styles.frame}>
      <main id="page" className={styles.card} data-wide={props.wide || undefined} tabIndex={-1}>
        <div className={styles.in}>
          <div className={styles.brand}>{emblem ?? <Logo size={28} {...(team && { of: team })} />}</div>
          {glyph && (
            <div className={styles.glyph} data-kind={glyphKind}>
              <Icon name={glyph} size={20} />
            </div>
          )}
          <div className={styles.head}>
            <PageHeading title={title}>{heading}</PageHeading>
            {(lead || message !== undefined) && <div className={styles.line}>{message || lead}</div>}
            {props.keepsLead && message && <div className={styles.line}>{lead}</div>}
          </div>
          {children}
        </div>
        {below && <div className={`${parts.links} ${styles.below}`}>{below}</div>}
      </main>
      <PageFooter />
    </div>
  )
}
