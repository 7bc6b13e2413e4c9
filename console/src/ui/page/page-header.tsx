import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import m from '../../messages/en/navigation.json'
import { useNavigation } from '../document/navigation-context'
import { Icon } from '../icons/icon'
import styles from './page-header.module.css'
import { PageHeading } from './page-heading'

export interface Crumb {
  to: NonNullable<LinkProps['to']>
  params?: Record<string, string>
  name: string
}

interface Props {
  /** the pages above this one */
  crumbs?: readonly Crumb[]
  picture?: ReactNode
  heading: ReactNode
  /** of the window, if it is not the heading */
  title?: string
  /** beside the heading: a state, a count */
  badges?: ReactNode
  /** at the end of the line; at most one primary button */
  actions?: ReactNode
}

/** The bar at the top of a page: where it is, its name, state and actions. */
export function PageHeader({ crumbs = [], picture, heading, title, badges, actions }: Props) {
  const navigation = useNavigation()
  return (
    <header className={styles.bar}>
      {navigation && (
        <button type="button" className={styles.burger} aria-label={m.openNavigation()} onClick={navigation.open}>
          <Icon name="menu" size={20} />
        </button>
      )}
      <div className={styles.place}>
        {crumbs.length > 0 && (
          <nav aria-label={m.breadcrumb()} className={styles.crumbs}>
            {crumbs.map(({ to, params, name }) => (
              <Link key={name} to={to} params={params as never} className={styles.crumb}>
                {name}
              </Link>
            ))}
          </nav>
        )}
        <div className={styles.name}>
          {picture}
          <PageHeading {...(title !== undefined && { title })}>{heading}</PageHeading>
        </div>
        {badges}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </header>
  )
}
