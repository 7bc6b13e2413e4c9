import { Outlet, useLocation } from '@tanstack/react-router'
import m from '../../messages/en/directory.json'
import ldap from '../../messages/en/ldap.json'
import page from '../../ui/page/page.module.css'
import { PageHeader } from '../../ui/page/page-header'
import { TabbedPage } from '../../ui/page/tabbed-page'
import { useCurrentTeam } from '../organizations/current-team'
import { ldapPageOf, tabOf, tabsFor } from './tabs'

/** The directories of a team: SCIM, with which a directory writes to the team, and LDAP, which the team reads. */
export function DirectoryLayout() {
  const { team, me } = useCurrentTeam()
  const { pathname } = useLocation()
  const current = tabOf(pathname)
  const below = current === 'ldap' ? ldapPageOf(pathname) : undefined
  const tabs = tabsFor(me.permissions).map(({ tab, to }) => ({ tab, to, name: m.tab({ tab }) }))
  const params = { slug: team.slug }
  if (!below || !tabs[0])
    return <TabbedPage heading={m.title()} label={m.title()} tabs={tabs} params={params} current={current} />
  const heading = m.page({ page: below })
  return (
    <>
      <PageHeader
        // Another run is another page with the same heading.
        key={pathname}
        crumbs={[
          { to: tabs[0].to, params, name: m.title() },
          { to: '/t/$slug/directory/ldap', params, name: ldap.title() },
        ]}
        heading={heading}
        title={[heading, m.tab({ tab: current }), m.title()].join(' · ')}
      />
      <div className={page.content}>
        <Outlet />
      </div>
    </>
  )
}
