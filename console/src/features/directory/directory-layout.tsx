import { useLocation } from '@tanstack/react-router'
import m from '../../messages/en/directory.json'
import { TabbedPage } from '../../ui/page/tabbed-page'
import { useCurrentTeam } from '../organizations/current-team'
import { ldapPageOf, tabOf, tabsFor } from './tabs'

/** The directories of a team: SCIM, with which a directory writes to the team, and LDAP, which the team reads. */
export function DirectoryLayout() {
  const { team, me } = useCurrentTeam()
  const { pathname } = useLocation()
  const current = tabOf(pathname)
  const page = current === 'ldap' ? ldapPageOf(pathname) : undefined
  return (
    <TabbedPage
      heading={m.title()}
      label={m.title()}
      tabs={tabsFor(me.permissions).map(({ tab, to }) => ({ tab, to, name: m.tab({ tab }) }))}
      params={{ slug: team.slug }}
      current={current}
      page={page && m.page({ page })}
    />
  )
}
