import { useQuery } from '@tanstack/react-query'
import { LoadError } from '../../../ui/page/load-error'
import { RowsLoading } from '../../../ui/page/rows-loading'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentApplication } from '../current-application'
import { assignmentsQuery } from '../queries'
import { WriteGate } from '../write-gate'
import { AccessPolicy } from './access-policy'
import { GroupsPanel } from './groups-panel'
import { UsersPanel } from './users-panel'

/** The access to the application: open to everyone, or to assigned users and groups. */
export function AccessPage() {
  const { team, me } = useCurrentTeam()
  const { id } = useCurrentApplication()
  const assignments = useQuery(assignmentsQuery(team.id, id))
  if (assignments.isPending) return <RowsLoading rows={2} height={120} />
  if (assignments.isError) return <LoadError error={assignments.error} retry={() => assignments.refetch()} />
  const { users, groups } = assignments.data
  return (
    <>
      <WriteGate>
        <AccessPolicy assigned={users.ids.length + groups.ids.length} />
      </WriteGate>
      {me.permissions.includes('groups:read') && <GroupsPanel assigned={groups} />}
      {me.permissions.includes('users:read') && <UsersPanel users={users} groups={groups} />}
    </>
  )
}
