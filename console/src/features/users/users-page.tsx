import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import imports from '../../messages/en/import.json'
import roles from '../../messages/en/roles.json'
import m from '../../messages/en/users.json'
import { Icon } from '../../ui/icons/icon'
import { ListPage } from '../../ui/page/list-page'
import { type BulkAction as BarAction, BulkBar } from '../../ui/table/bulk-bar'
import type { Column } from '../../ui/table/column'
import { useColumns } from '../../ui/table/column-choice'
import { DataTable } from '../../ui/table/data-table'
import { useSelection } from '../../ui/table/selection'
import { type Filter, Toolbar } from '../../ui/table/toolbar'
import { useListView } from '../../ui/table/use-list-view'
import { Monogram } from '../../ui/values/monogram'
import { RelativeTime } from '../../ui/values/relative-time'
import { NeedsPermission } from '../applications/needs-permission'
import { groupsQuery } from '../groups/queries'
import { useCurrentTeam } from '../organizations/current-team'
import { MEMBER_ROLES } from '../roles/roles'
import { type BulkAction, useBulkRun } from './bulk'
import { BulkDialog, BulkRunDialog } from './bulk-dialog'
import { InviteDialog } from './invite-dialog'
import { USER_FILTERS, type User, usersQuery } from './queries'
import { UserDrawer } from './user/user-drawer'
import { userName } from './user-name'
import { UserStatus } from './user-status'
import styles from './users-page.module.css'

const NAME: Column<User> = {
  id: 'name',
  header: m.name(),
  sort: 'name',
  picture: (user) => <Monogram of={userName(user)} size={22} round />,
  cell: userName,
}

const COLUMNS: Column<User>[] = [
  NAME,
  { id: 'email', header: m.email(), sort: 'email', width: 220, cell: ({ email }) => email },
  { id: 'role', header: m.role(), width: 104, cell: ({ role, roleExact }) => roles.name({ role: roleExact ?? role }) },
  { id: 'groups', header: m.groups(), width: 130, cell: (user) => <Groups user={user} /> },
  { id: 'factors', header: m.twoStepShort(), width: 100, cell: ({ factors }) => <Factor factors={factors ?? []} /> },
  { id: 'source', header: m.source(), width: 110, cell: ({ source }) => m.sourceName({ source: source ?? '' }) },
  {
    id: 'lastSignIn',
    header: m.lastSignIn(),
    sort: 'lastSignInAt',
    width: 112,
    onPhones: true,
    cell: ({ lastSignInAt }) => (lastSignInAt ? <RelativeTime at={lastSignInAt} short /> : m.never()),
  },
  { id: 'status', header: m.status(), width: 124, cell: ({ status }) => <UserStatus status={status} plain /> },
]

/** For roles that may not read groups: the service omits the groups of each user. */
const COLUMNS_WITHOUT_GROUPS = COLUMNS.filter(({ id }) => id !== 'groups')

const SOURCES = ['local', 'invitation', 'import', 'scim', 'ldap', 'sso']

/** The filters of the toolbar; that of groups has the first groups of the team. */
const filtersOf = (groups: readonly { id: string; name: string }[]): Filter[] =>
  [
    {
      id: 'status',
      name: m.status(),
      choices: ['active', 'pending', 'suspended'].map((status) => ({ value: status, name: m.statusName({ status }) })),
    },
    {
      id: 'roleExact',
      name: m.role(),
      choices: MEMBER_ROLES.map((role) => ({ value: role, name: roles.name({ role }) })),
    },
    { id: 'group', name: m.group(), choices: groups.map(({ id, name }) => ({ value: id, name })) },
    {
      id: 'mfa',
      name: m.twoStepShort(),
      choices: ['none', 'totp', 'passkey'].map((factor) => ({
        value: factor,
        name: m.twoStepName({ factor: factor === 'none' ? factor : factor.toUpperCase() }),
      })),
    },
    {
      id: 'source',
      name: m.source(),
      choices: SOURCES.map((source) => ({ value: source, name: m.sourceName({ source }) })),
    },
    {
      id: 'inactiveDays',
      name: m.inactive(),
      choices: [30, 90, 180].map((days) => ({ value: String(days), name: m.before({ days }) })),
    },
  ].filter(({ choices }) => choices.length > 0)

function Groups({ user: { groups = [], groupCount = 0 } }: { user: User }) {
  const rest = groupCount - groups.length
  return [...groups.map(({ name }) => name), ...(rest > 0 ? [m.moreGroups({ count: rest })] : [])].join(', ') || '–'
}

function Factor({ factors }: { factors: string[] }) {
  const factor = ['PASSKEY', 'TOTP'].find((kind) => factors.includes(kind)) ?? 'none'
  return (
    <span className={styles.factor} data-none={factor === 'none' || undefined}>
      <Icon name={factor === 'PASSKEY' ? 'passkey' : factor === 'TOTP' ? 'phone' : 'shieldOff'} />
      {m.twoStepName({ factor })}
    </span>
  )
}

/** The bulk actions with the permission that each needs. */
const BULK: (Omit<BarAction, 'run'> & { id: BulkAction; permission: string })[] = [
  { id: 'add_to_group', name: m.addToGroup(), icon: 'usersPlus', permission: 'groups:members' },
  { id: 'set_role', name: m.role(), icon: 'shield', permission: 'users:write' },
  { id: 'reset_mfa', name: m.resetTwoStep(), icon: 'phoneOff', permission: 'users:credentials' },
  { id: 'send_password_reset', name: m.sendReset(), icon: 'mail', permission: 'users:credentials', inMenu: true },
  { id: 'activate', name: m.activate(), icon: 'done', permission: 'users:write', inMenu: true },
  { id: 'suspend', name: m.suspend(), icon: 'ban', permission: 'users:write', isDanger: true },
]

const FIRST_GROUPS = { page: 1, limit: 50, filters: {} }

/** Columns that are hidden while the details of a user are open. */
const WIDE = ['email', 'source', 'status']

/** Columns that narrow screens omit; phones show their own. */
const OPTIONAL = ['email', 'source', 'groups']

/** The name, with the status in its place while the column of the status is hidden. */
const NAME_WITH_STATUS: Column<User> = {
  ...NAME,
  badge: ({ status }) => status !== 'active' && <UserStatus status={status} />,
}

/** The widths of the other columns beside the details, in pixels. */
const NARROW: Record<string, number> = { role: 104, groups: 112, factors: 96, lastSignIn: 100 }

const besideDetails = (columns: readonly Column<User>[]): Column<User>[] =>
  columns
    .filter(({ id }) => !WIDE.includes(id))
    .map((column) => {
      if (column === NAME) return NAME_WITH_STATUS
      const width = NARROW[column.id] ?? column.width
      return width === undefined ? column : { ...column, width }
    })

/** The second line on phones. */
const detailOf = ({ email, status }: User) => (status === 'active' ? email : `${m.statusName({ status })} · ${email}`)

/** Finds users and acts on them. */
export function UsersPage() {
  const { me } = useCurrentTeam()
  return me.permissions.includes('users:read') ? <Users /> : <NeedsPermission permission="users:read" />
}

function Users() {
  const { team, me } = useCurrentTeam()
  const { view, change, dialog, openDialog, closeDialog, openRow } = useListView(USER_FILTERS)
  const users = useQuery(usersQuery(team.id, view))
  const selection = useSelection(JSON.stringify([view.q, view.filters]))
  const canInvite = me.permissions.includes('members:write')
  const [bulk, setBulk] = useState<BulkAction | null>(null)
  const readsGroups = me.permissions.includes('groups:read')
  const { shown, choice } = useColumns('users', readsGroups ? COLUMNS : COLUMNS_WITHOUT_GROUPS, ['source'])
  const narrow = useMemo(() => besideDetails(shown), [shown])
  const hasRoom = useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false })
  const fitting = useMemo(() => (hasRoom ? shown : shown.filter(({ id }) => !OPTIONAL.includes(id))), [hasRoom, shown])
  const groups = useQuery({ ...groupsQuery(team.id, FIRST_GROUPS), enabled: readsGroups }).data?.data
  const filters = useMemo(() => filtersOf(groups ?? []), [groups])
  const [runId, setRunId] = useState<string | null>(null)
  const [showsRun, setShowsRun] = useState(false)
  const run = useBulkRun(team.id, runId)
  const actions = BULK.filter(({ permission }) => me.permissions.includes(permission))

  const rows = users.data?.data
  const total = users.data?.total ?? 0
  const opened = openRow(rows, total)
  return (
    <ListPage
      title={m.title()}
      count={users.data?.total}
      actions={
        <>
          {me.permissions.includes('users:write') && (
            <Button
              variant="default"
              visibleFrom="sm"
              leftSection={<Icon name="upload" />}
              renderRoot={(props) => <Link to="/t/$slug/users/import" params={{ slug: team.slug }} {...props} />}
            >
              {imports.import()}
            </Button>
          )}
          {canInvite && (
            <Button leftSection={<Icon name="plus" />} onClick={() => openDialog('invitation')}>
              {m.invite()}
            </Button>
          )}
        </>
      }
      toolbar={<Toolbar search={m.search()} filters={filters} view={view} change={change} end={choice} />}
      drawer={opened && <UserDrawer user={opened.row} place={opened.place} />}
    >
      <DataTable
        label={m.title()}
        columns={opened ? narrow : fitting}
        rows={rows}
        isStale={users.isPlaceholderData}
        total={total}
        idOf={({ id }) => id}
        nameOf={userName}
        linkOf={({ id }) => ({ to: '/t/$slug/users/$id', params: { slug: team.slug, id } })}
        detailOf={detailOf}
        isMuted={({ status }) => status === 'suspended'}
        view={view}
        change={change}
        {...(actions.length > 0 && { selection })}
        current={opened?.row.id}
        open={({ id }) => change(view, id)}
        error={users.error}
        retry={() => users.refetch()}
        empty={<p>{m.empty()}</p>}
      />
      <BulkBar
        selection={selection}
        total={total}
        isStale={users.isPlaceholderData}
        actions={actions.map(({ permission: _, ...action }) => ({ ...action, run: () => setBulk(action.id) }))}
      />
      {bulk && (
        <BulkDialog
          action={bulk}
          selected={selection.selected}
          view={view}
          count={selection.count(total)}
          started={(id) => {
            setRunId(id)
            setShowsRun(true)
            setBulk(null)
            // The changed users may no longer match the filters.
            selection.clear()
          }}
          close={() => setBulk(null)}
        />
      )}
      {showsRun && <BulkRunDialog run={run} close={() => setShowsRun(false)} />}
      {dialog === 'invitation' && canInvite && <InviteDialog close={closeDialog} />}
    </ListPage>
  )
}
