import { Button, Group, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import m from '../../../messages/en/application-access.json'
import common from '../../../messages/en/common.json'
import type { Column } from '../../../ui/table/column'
import { DataTable } from '../../../ui/table/data-table'
import { RowMenu } from '../../../ui/table/row-menu'
import { Toolbar } from '../../../ui/table/toolbar'
import { useListView } from '../../../ui/table/use-list-view'
import { Monogram } from '../../../ui/values/monogram'
import { useCurrentTeam } from '../../organizations/current-team'
import { type User, usersQuery } from '../../users/queries'
import { userName } from '../../users/user-name'
import { UserStatus } from '../../users/user-status'
import { useCurrentApplication } from '../current-application'
import { AssignDialog } from './assign-dialog'
import { CheckDialog } from './check-dialog'
import { RemoveDialog } from './remove-dialog'
import type { Assigned } from './use-assignment'
import styles from './users-panel.module.css'

const NO_FILTERS: string[] = []

/** The users who can open the application, and what gives them access; also suspended users to whom it is assigned. */
export function UsersPanel({ users: assigned, groups }: { users: Assigned; groups: Assigned }) {
  const { team, me } = useCurrentTeam()
  const { id, assignmentRequired } = useCurrentApplication()
  const { view, change } = useListView(NO_FILTERS)
  const users = useQuery(usersQuery(team.id, { ...view, filters: { application: id, includeSuspended: 'true' } }))
  const [isAssigning, setIsAssigning] = useState(false)
  const [removed, setRemoved] = useState<{ id: string; name: string } | null>(null)
  const [checked, setChecked] = useState<User | 'search' | null>(null)
  const canWrite = me.permissions.includes('applications:write')

  const accessOf = (user: User) => {
    if (assigned.ids.includes(user.id)) return m.accessName({ access: 'direct', groups: '' })
    const via = (user.groups ?? []).filter((group) => groups.ids.includes(group.id)).map(({ name }) => name)
    if (via.length > 0) return m.accessName({ access: 'groups', groups: via.join(', ') })
    return m.accessName({ access: assignmentRequired ? 'group' : 'everyone', groups: '' })
  }
  const columns: Column<User>[] = [
    {
      id: 'name',
      header: m.user(),
      sort: 'name',
      picture: (user) => <Monogram of={userName(user)} size={22} round />,
      cell: userName,
      badge: ({ status }) => status !== 'active' && <UserStatus status={status} />,
    },
    { id: 'email', header: m.email(), sort: 'email', width: 240, cell: ({ email }) => email },
    { id: 'access', header: m.access(), width: 200, cell: accessOf },
    {
      id: 'actions',
      header: common.actions(),
      width: 88,
      onPhones: true,
      cell: (user) => (
        <RowMenu label={m.actionsLabel({ name: userName(user) })}>
          <Menu.Item onClick={() => setChecked(user)}>{m.check()}</Menu.Item>
          {canWrite && assigned.ids.includes(user.id) && (
            <>
              <Menu.Divider />
              <Menu.Item color="red" onClick={() => setRemoved({ id: user.id, name: userName(user) })}>
                {m.remove()}
              </Menu.Item>
            </>
          )}
        </RowMenu>
      ),
    },
  ]
  return (
    <section className={styles.card} aria-label={m.users()}>
      <div className={styles.head}>
        <h2 className={styles.title}>{m.users()}</h2>
        <Group gap="xs">
          <Button variant="default" onClick={() => setChecked('search')}>
            {m.check()}
          </Button>
          {canWrite && (
            <Button variant="default" onClick={() => setIsAssigning(true)}>
              {m.assignUsers()}
            </Button>
          )}
        </Group>
      </div>
      <Toolbar search={m.usersSearch()} view={view} change={change} />
      <DataTable
        label={m.users()}
        columns={columns}
        rows={users.data?.data}
        total={users.data?.total ?? 0}
        idOf={(user) => user.id}
        nameOf={userName}
        linkOf={(user) => ({ to: '/t/$slug/users/$id', params: { slug: team.slug, id: user.id } })}
        detailOf={(user) => `${user.email} · ${accessOf(user)}`}
        isMuted={({ status }) => status === 'suspended'}
        view={view}
        change={change}
        error={users.error}
        retry={() => users.refetch()}
        empty={<p>{m.noUsers()}</p>}
      />
      {isAssigning && <AssignDialog kind="users" assigned={assigned} close={() => setIsAssigning(false)} />}
      <RemoveDialog kind="users" assigned={assigned} removed={removed} close={() => setRemoved(null)} />
      {checked && <CheckDialog user={checked === 'search' ? null : checked} close={() => setChecked(null)} />}
    </section>
  )
}
