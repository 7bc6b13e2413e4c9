import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { LoadError } from '../../../ui/load-error'
import { Panel } from '../../../ui/panel'
import { RowsLoading } from '../../../ui/rows-loading'
import { applicationWords } from '../../../words'
import { useCurrentTeam } from '../../organizations/current-team'
import { CurrentDirectoryProvider } from './directory-context'
import { directoryQuery } from './queries'

/** How the team's LDAP directory is reached, and what its readings did: loads it for the pages below. */
export function LdapPage() {
  const { team, me } = useCurrentTeam()
  const mayRead = me.permissions.includes('directory:read')
  const directory = useQuery({ ...directoryQuery(team.id), enabled: mayRead })
  // Not a page: the heading of the directories stands above.
  if (!mayRead)
    return <Panel title={applicationWords.forbiddenTitle} about={applicationWords.needs('directory:read')} />
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
