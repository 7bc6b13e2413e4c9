import { Link, type LinkProps, Outlet, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import page from './page.module.css'
import { PageHeader } from './page-header'
import styles from './tabbed-page.module.css'

interface Tab {
  tab: string
  to: NonNullable<LinkProps['to']>
  name: string
}

interface Props {
  /** the list that contains this object */
  back?: { to: NonNullable<LinkProps['to']>; name: string }
  picture?: ReactNode
  heading: string
  /** beside the heading */
  badges?: ReactNode
  /** the action that every tab offers */
  action?: ReactNode
  /** names the navigation for assistive technology */
  label: string
  /** the first one is the page at the object's own URL */
  tabs: readonly Tab[]
  params: Record<string, string>
  current: string
  /** the page below the open tab, for the title of the window */
  page?: string | undefined
}

/** One object with several pages: its header, its tabs and the open page. */
export function TabbedPage({
  back,
  picture,
  heading,
  badges,
  action,
  label,
  tabs,
  params,
  current,
  page: below,
}: Props) {
  const { pathname } = useLocation()
  const tab = tabs.find((one) => one.tab === current)?.name
  return (
    <>
      <PageHeader
        // Another run of a directory is another page with the same title.
        key={pathname}
        {...(back && { crumbs: [{ ...back, params }] })}
        picture={picture}
        heading={heading}
        title={[below, tab, heading].filter(Boolean).join(' · ')}
        badges={badges}
        actions={action}
      />
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
      <div className={page.content}>
        <Outlet />
      </div>
    </>
  )
}
