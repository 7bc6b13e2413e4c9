import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import permissions from '../../../messages/en/permissions.json'
import { LoadError } from '../../../ui/page/load-error'
import { Panel } from '../../../ui/page/panel'
import { RowsLoading } from '../../../ui/page/rows-loading'
import { needsText } from '../../applications/needs-permission'
import { useCurrentTeam } from '../../organizations/current-team'
import { CurrentDirectoryProvider } from './directory-context'
import { directoryQuery } from './queries'

const permission = 'directory:read'

/** Loads the LDAP directory of the team for the pages below. */
export function LdapPage() {
  const { team, me } = useCurrentTeam()
  const mayRead = me.permissions.includes(permission)
  const directory = useQuery({ ...directoryQuery(team.id), enabled: mayRead })
  // The layout shows the heading of the page.
  if (!mayRead) return <Panel title={permissions.noAccess()} about={needsText(permission)} />
  if (directory.data === undefined)
    return directory.isError ? (
      <LoadError error={directory.error} retry={() => directory.refetch()} />
    ) : (
      <RowsLoading rows={2} height={180} />
    )
  return (
    <CurrentDirectoryProvider value={directory.data}>
      <Outlet />
    </CurrentDirectoryProvider>
  )
}
