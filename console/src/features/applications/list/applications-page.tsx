import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Application } from '../../../api/contract'
import m from '../../../messages/en/applications.json'
import { Icon } from '../../../ui/icons/icon'
import { ListPage } from '../../../ui/page/list-page'
import type { Column } from '../../../ui/table/column'
import { DataTable } from '../../../ui/table/data-table'
import { type Filter, Toolbar } from '../../../ui/table/toolbar'
import { useListView } from '../../../ui/table/use-list-view'
import { ApplicationLogo } from '../../../ui/values/application-logo'
import { RelativeTime } from '../../../ui/values/relative-time'
import { StatusBadge } from '../../../ui/values/status-badge'
import { useCurrentTeam } from '../../organizations/current-team'
import { statusOf } from '../application-kind'
import { typeOf } from '../kind-badge'
import { NeedsPermission } from '../needs-permission'
import { applicationsQuery } from '../queries'
import { SampleButton } from '../try-it/sample-button'
import { accessOf, applicationsOf, FILTERS } from './list-view'

const COLUMNS: Column<Application>[] = [
  {
    id: 'name',
    header: m.name(),
    sort: 'name',
    picture: ({ id, name, logoUrl }) => <ApplicationLogo id={id} name={name} logoUrl={logoUrl} size={22} />,
    cell: ({ name }) => name,
  },
  { id: 'type', header: m.type(), width: 190, cell: typeOf },
  { id: 'access', header: m.access(), width: 160, cell: (one) => m.accessName({ access: accessOf(one) }) },
  { id: 'status', header: m.status(), width: 144, onPhones: true, cell: (one) => <Status application={one} /> },
  {
    id: 'updated',
    header: m.updated(),
    sort: 'updated',
    width: 124,
    cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
  },
  {
    id: 'created',
    header: m.created(),
    sort: 'created',
    width: 124,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
]
const FEWER_COLUMNS = COLUMNS.filter(({ id }) => id !== 'created')

const named = (values: readonly string[], nameOf: (value: string) => string) =>
  values.map((value) => ({ value, name: nameOf(value) }))

const filters: Filter[] = [
  {
    id: 'type',
    name: m.type(),
    choices: named(['web', 'public', 'machine', 'agent', 'saml'], (kind) => m.kindName({ kind })),
  },
  { id: 'access', name: m.access(), choices: named(['everyone', 'assigned'], (access) => m.accessName({ access })) },
  {
    id: 'status',
    name: m.status(),
    choices: named(['active', 'incomplete', 'stopped'], (status) => m.statusName({ status })),
  },
]

const TONES = { active: 'ok', incomplete: 'warn', stopped: 'bad' } as const

function Status({ application }: { application: Application }) {
  const status = statusOf(application)
  return (
    <StatusBadge tone={TONES[status]} plain>
      {m.statusName({ status })}
    </StatusBadge>
  )
}

/** The second line on phones. */
const detailOf = (application: Application) =>
  [typeOf(application), application.description].filter(Boolean).join(' · ')

export function ApplicationsPage() {
  const { me } = useCurrentTeam()
  return me.permissions.includes('applications:read') ? (
    <Applications canCreate={me.permissions.includes('applications:write')} />
  ) : (
    <NeedsPermission permission="applications:read" />
  )
}

/** The applications of the team. The service returns all of them, so search, filters, order and pages are applied here. */
function Applications({ canCreate }: { canCreate: boolean }) {
  const { team } = useCurrentTeam()
  const navigate = useNavigate()
  const { view, change } = useListView(FILTERS)
  const applications = useQuery(applicationsQuery(team.id))
  const hasRoom = useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false })
  const found = applications.data && applicationsOf(applications.data, view)
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
      toolbar={
        applications.data?.length !== 0 && <Toolbar search={m.search()} filters={filters} view={view} change={change} />
      }
    >
      <DataTable
        label={m.title()}
        columns={hasRoom ? COLUMNS : FEWER_COLUMNS}
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
