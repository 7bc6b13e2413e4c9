import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Icon, type IconName } from '../design/icons/icon'
import styles from './sections.module.css'

export interface Section {
  to: NonNullable<LinkProps['to']>
  params?: { slug: string }
  icon: IconName
  name: string
  /** false where pages below it belong to it too */
  exact?: boolean
}

interface Props {
  /** names the navigation */
  label: string
  sections: Section[]
  /** tables and code want more room than text */
  wide?: boolean
  children: ReactNode
}

/** An area of several pages: the way between them at its side (above, on small screens), and the page. */
export function Sections({ label, sections, wide, children }: Props) {
  return (
    <div className={styles.layout} data-wide={wide || undefined} data-alone={sections.length === 0 || undefined}>
      {sections.length > 0 && (
        <nav className={styles.nav} aria-label={label}>
          {sections.map(({ to, params, icon, name, exact = true }) => (
            <Link key={name} to={to} params={params as never} activeOptions={{ exact }} className={styles.link}>
              <Icon name={icon} />
              {name}
            </Link>
          ))}
        </nav>
      )}
      <main id="page" tabIndex={-1} className={styles.page}>
        {children}
      </main>
    </div>
  )
}
