import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import m from '../../messages/en/groups.json'
import { Icon } from '../../ui/icons/icon'
import { ListPage } from '../../ui/page/list-page'
import type { Column } from '../../ui/table/column'
import { DataTable } from '../../ui/table/data-table'
import { Toolbar } from '../../ui/table/toolbar'
import { useListView } from '../../ui/table/use-list-view'
import { Monogram } from '../../ui/values/monogram'
import { RelativeTime } from '../../ui/values/relative-time'
import { NeedsPermission } from '../applications/needs-permission'
import { useCurrentTeam } from '../organizations/current-team'
import { GroupDialog } from './group-dialog'
import { useCreateGroup } from './mutations'
import { type Group, groupsQuery } from './queries'

const COLUMNS: Column<Group>[] = [
  {
    id: 'name',
    header: m.name(),
    picture: ({ name }) => <Monogram of={name} size={22} />,
    cell: ({ name }) => name,
  },
  { id: 'description', header: m.description(), width: 360, cell: ({ description }) => description },
  { id: 'members', header: m.members(), width: 100, numeric: true, cell: ({ memberCount }) => memberCount },
  { id: 'created', header: m.created(), width: 140, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
]

const NO_FILTERS: string[] = []

/** The groups of the team. */
export function GroupsPage() {
  const { me } = useCurrentTeam()
  return me.permissions.includes('groups:read') ? <Groups /> : <NeedsPermission permission="groups:read" />
}

function Groups() {
  const { team, me } = useCurrentTeam()
  const { view, change, dialog, openDialog, closeDialog } = useListView(NO_FILTERS)
  const groups = useQuery(groupsQuery(team.id, view))
  const create = useCreateGroup()
  const canWrite = me.permissions.includes('groups:write')
  const newGroup = canWrite && (
    <Button leftSection={<Icon name="plus" />} onClick={() => openDialog('group')}>
      {m.create()}
    </Button>
  )
  return (
    <ListPage
      title={m.title()}
      count={groups.data?.total}
      actions={newGroup}
      toolbar={<Toolbar search={m.search()} view={view} change={change} />}
    >
      <DataTable
        label={m.title()}
        columns={COLUMNS}
        rows={groups.data?.data}
        total={groups.data?.total ?? 0}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        linkOf={({ id }) => ({ to: '/t/$slug/groups/$id', params: { slug: team.slug, id } })}
        detailOf={({ description }) => description}
        view={view}
        change={change}
        error={groups.error}
        retry={() => groups.refetch()}
        empty={<p>{m.empty()}</p>}
      />
      {dialog === 'group' && canWrite && <GroupDialog send={create.mutateAsync} close={closeDialog} />}
    </ListPage>
  )
}
