import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Application } from '../../../api/contract'
import m from '../../../messages/en/applications.json'
import { Icon } from '../../../ui/icons/icon'
import { ListPage } from '../../../ui/page/list-page'
import type { Column } from '../../../ui/table/column'
import { DataTable } from '../../../ui/table/data-table'
import { Toolbar } from '../../../ui/table/toolbar'
import { useListView } from '../../../ui/table/use-list-view'
import { ApplicationLogo } from '../../../ui/values/application-logo'
import { RelativeTime } from '../../../ui/values/relative-time'
import { useCurrentTeam } from '../../organizations/current-team'
import { kindOf } from '../application-kind'
import { KindBadge } from '../kind-badge'
import { NeedsPermission } from '../needs-permission'
import { applicationsQuery } from '../queries'
import { SampleButton } from '../try-it/sample-button'

const COLUMNS: Column<Application>[] = [
  {
    id: 'name',
    header: m.name(),
    picture: ({ id, name, logoUrl }) => <ApplicationLogo id={id} name={name} logoUrl={logoUrl} size={22} />,
    cell: ({ name }) => name,
  },
  { id: 'type', header: m.type(), width: 220, cell: (application) => <KindBadge application={application} /> },
  {
    id: 'access',
    header: m.access(),
    width: 180,
    cell: ({ assignmentRequired }) => m.accessName({ access: assignmentRequired ? 'assigned' : 'everyone' }),
  },
  { id: 'created', header: m.created(), width: 140, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
]

const NO_FILTERS: string[] = []

/** The second line on phones. */
const detailOf = (application: Application) =>
  [m.kindName({ kind: kindOf(application) }), application.description].filter(Boolean).join(' · ')

export function ApplicationsPage() {
  const { me } = useCurrentTeam()
  return me.permissions.includes('applications:read') ? (
    <Applications canCreate={me.permissions.includes('applications:write')} />
  ) : (
    <NeedsPermission permission="applications:read" />
  )
}

/** The applications of the team. The service returns all of them, so search and pages are applied here. */
function Applications({ canCreate }: { canCreate: boolean }) {
  const { team } = useCurrentTeam()
  const navigate = useNavigate()
  const { view, change } = useListView(NO_FILTERS)
  const applications = useQuery(applicationsQuery(team.id))
  const text = (view.q ?? '').trim().toLowerCase()
  const found = applications.data?.filter(({ name }) => name.toLowerCase().includes(text))
  const first = (view.page - 1) * view.limit
  return (
    <ListPage
      title={m.title()}
      count={applications.data?.length}
      actions={
        canCreate && (
          <Button
            leftSection={<Icon name="plus" />}
            onClick={() => navigate({ to: '/t/$slug/applications/new', params: { slug: team.slug } })}
          >
            {m.add()}
          </Button>
        )
      }
      toolbar={applications.data?.length !== 0 && <Toolbar search={m.search()} view={view} change={change} />}
    >
      <DataTable
        label={m.title()}
        columns={COLUMNS}
        rows={found?.slice(first, first + view.limit)}
        total={found?.length ?? 0}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        linkOf={({ id }) => ({ to: '/t/$slug/applications/$id', params: { slug: team.slug, id } })}
        detailOf={detailOf}
        view={view}
        change={change}
        error={applications.error}
        retry={() => applications.refetch()}
        empty={
          <>
            <p>{m.empty()}</p>
            {canCreate && <SampleButton team={team} />}
          </>
        }
      />
    </ListPage>
  )
}
