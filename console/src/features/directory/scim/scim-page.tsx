import { useQuery } from '@tanstack/react-query'
import permissions from '../../../messages/en/permissions.json'
import { LoadError } from '../../../ui/page/load-error'
import { Panel } from '../../../ui/page/panel'
import { RowsLoading } from '../../../ui/page/rows-loading'
import { needsText } from '../../applications/needs-permission'
import { useCurrentTeam } from '../../organizations/current-team'
import { scimRequestsQuery, scimTokensQuery } from './queries'
import { ScimPanels } from './scim-panels'

const permission = 'scim:token'

/** The setup of SCIM, its tokens and its last requests. */
export function ScimPage() {
  const { me } = useCurrentTeam()
  if (me.permissions.includes(permission)) return <Scim />
  // Below the heading of the directory's pages, which stays.
  return <Panel title={permissions.noAccess()} about={needsText(permission)} />
}

function Scim() {
  const { team } = useCurrentTeam()
  const tokens = useQuery(scimTokensQuery(team.id))
  const requests = useQuery(scimRequestsQuery(team.id))
  const failed = [tokens, requests].find(({ isError, data }) => isError && !data)
  if (failed) return <LoadError error={failed.error} retry={() => failed.refetch()} />
  if (!tokens.data || !requests.data) return <RowsLoading rows={2} height={180} />
  return (
    <>
      {tokens.isError && <LoadError error={tokens.error} retry={() => tokens.refetch()} />}
      <ScimPanels tokens={tokens.data.data} written={tokens.data.written} initial={requests.data} />
    </>
  )
}
