import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { PageHeading } from '../../design/page-heading'
import styles from '../../design/tabbed.module.css'
import { ldapWords, directoryWords as words } from '../../words'
import { useCurrentTeam } from '../organizations/current-team'
import { ldapPageOf, tabOf, tabsFor } from './tabs'

/** The directories of a team: the one that writes to us (SCIM) and the one that we read (LDAP). */
export function DirectoryLayout() {
  const { team, me } = useCurrentTeam()
  const { pathname } = useLocation()
  const current = tabOf(pathname)
  const page = current === 'ldap' ? ldapPageOf(pathname) : undefined
  const title = [page && ldapWords.pages[page], words.tabs[current], words.title].filter(Boolean).join(' · ')
  return (
    <>
      <header className={styles.head}>
        <div className={styles.names}>
          {/* Another run is another page, of the same title. */}
          <PageHeading key={pathname} title={title}>
            {words.title}
          </PageHeading>
        </div>
      </header>
      <nav className={styles.tabs} aria-label={words.title}>
        {tabsFor(me.permissions).map(({ tab, to }) => (
          <Link
            key={tab}
            to={to}
            params={{ slug: team.slug }}
            activeOptions={{ exact: tab === 'scim' }}
            aria-current={tab === current ? 'page' : undefined}
            className={styles.tab}
          >
            {words.tabs[tab]}
          </Link>
        ))}
      </nav>
      <div className={styles.panels}>
        <Outlet />
      </div>
    </>
  )
}
