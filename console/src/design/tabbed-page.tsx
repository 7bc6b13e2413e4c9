import { Link, type LinkProps, Outlet, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageHeading } from './page-heading'
import styles from './tabbed-page.module.css'

interface Tab {
  tab: string
  to: NonNullable<LinkProps['to']>
  name: string
}

interface Props {
  /** the way to the list that this is one of */
  back?: { to: NonNullable<LinkProps['to']>; name: string }
  picture?: ReactNode
  heading: string
  /** the badges beside the name */
  badges?: ReactNode
  /** the act that every tab offers */
  action?: ReactNode
  /** names the navigation */
  label: string
  /** the first is the page at the thing's own address */
  tabs: readonly Tab[]
  params: Record<string, string>
  current: string
  /** the page below the tab that is open, for the window's title */
  page?: string | undefined
}

/** One thing with several pages: what it is, the way between its pages, and the page that is open. */
export function TabbedPage({ back, picture, heading, badges, action, label, tabs, params, current, page }: Props) {
  const { pathname } = useLocation()
  const tab = tabs.find((one) => one.tab === current)?.name
  const title = [page, tab, heading].filter(Boolean).join(' · ')
  return (
    <>
      {back && (
        <Link to={back.to} params={params as never} className={styles.back}>
          {back.name}
        </Link>
      )}
      <header className={styles.head}>
        {picture}
        <div className={styles.names}>
          {/* Another run of a directory is another page, of the same title. */}
          <PageHeading key={pathname} title={title}>
            {heading}
          </PageHeading>
          {badges}
        </div>
        {action}
      </header>
      <nav className={styles.tabs} aria-label={label}>
        {tabs.map(({ tab, to, name }, index) => (
          <Link
            key={tab}
            to={to}
            params={params as never}
            activeOptions={{ exact: index === 0 }}
            aria-current={tab === current ? 'page' : undefined}
            className={styles.tab}
          >
            {name}
          </Link>
        ))}
      </nav>
      <div className={styles.panels}>
        <Outlet />
      </div>
    </>
  )
}
