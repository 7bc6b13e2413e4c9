import { useLocation } from '@tanstack/react-router'
import { TabbedPage } from '../../ui/tabbed-page'
import { ldapWords, directoryWords as words } from '../../words'
import { useCurrentTeam } from '../organizations/current-team'
import { ldapPageOf, tabOf, tabsFor } from './tabs'

/** The directories of a team: the one that writes to us (SCIM) and the one that we read (LDAP). */
export function DirectoryLayout() {
  const { team, me } = useCurrentTeam()
  const { pathname } = useLocation()
  const current = tabOf(pathname)
  const page = current === 'ldap' ? ldapPageOf(pathname) : undefined
  return (
    <TabbedPage
      heading={words.title}
      label={words.title}
      tabs={tabsFor(me.permissions).map(({ tab, to }) => ({ tab, to, name: words.tabs[tab] }))}
      params={{ slug: team.slug }}
      current={current}
      page={page && ldapWords.pages[page]}
    />
  )
}
