import { Button, Menu } from '@mantine/core'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, member } from '../../api/client'
import type { paths } from '../../api/schema.gen'
import { useWrite } from '../../api/use-write'
import common from '../../messages/en/common.json'
import m from '../../messages/en/invitations.json'
import roles from '../../messages/en/roles.json'
import users from '../../messages/en/users.json'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog'
import { Icon } from '../../ui/icons/icon'
import { ListPage } from '../../ui/page/list-page'
import type { Column } from '../../ui/table/column'
import { DataTable } from '../../ui/table/data-table'
import { RowMenu } from '../../ui/table/row-menu'
import { Toolbar } from '../../ui/table/toolbar'
import { useListView } from '../../ui/table/use-list-view'
import type { View } from '../../ui/table/view'
import { RelativeTime } from '../../ui/values/relative-time'
import { StatusBadge } from '../../ui/values/status-badge'
import { relativeTime } from '../../ui/values/time'
import { useCurrentTeam } from '../organizations/current-team'
import { InviteDialog } from '../users/invite-dialog'

type Path = '/api/v1/organizations/{orgId}/invitations'
type Invitation = paths[Path]['get']['responses'][200]['content']['application/json']['data'][number]

const STATUSES = ['PENDING', 'ACCEPTED', 'REVOKED', 'EXPIRED']
const TONES: Record<string, 'ok' | 'warn' | 'neutral'> = { PENDING: 'warn', ACCEPTED: 'ok' }

const invitationsQuery = (orgId: string, { page, limit, filters }: View) =>
  queryOptions({
    queryKey: [orgId, 'invitations', { page, limit, filters }],
    queryFn: () =>
      answerOf(
        member.GET('/api/v1/organizations/{orgId}/invitations', {
          params: { path: { orgId }, query: { page, limit, ...filters } as never },
        }),
      ),
    placeholderData: keepPreviousData,
  })

const FILTERS = [
  {
    id: 'status',
    name: m.status(),
    choices: STATUSES.map((status) => ({ value: status, name: m.statusName({ status }) })),
  },
]

const FILTER_NAMES = FILTERS.map(({ id }) => id)

const canExpire = ({ status }: Invitation) => status === 'PENDING' || status === 'EXPIRED'

/** The second line on phones. */
function detailOf(invitation: Invitation): string {
  const { role, status, expiresAt } = invitation
  const expiry = canExpire(invitation) && m.expiry({ status, time: relativeTime(expiresAt) })
  // "Expired 2 days ago" contains the status.
  return [roles.name({ role }), status !== 'EXPIRED' && m.statusName({ status }), expiry].filter(Boolean).join(' · ')
}

/** The invitations of the team, with what can be done about the pending ones. */
export function InvitationsPage() {
  const { team, me } = useCurrentTeam()
  const { view, change, dialog, openDialog, closeDialog } = useListView(FILTER_NAMES)
  const invitations = useQuery(invitationsQuery(team.id, view))
  const [revoking, setRevoking] = useState<Invitation | null>(null)
  const canWrite = me.permissions.includes('members:write')
  const { resend, revoke } = useInvitationWrites(team.id)

  const columns: Column<Invitation>[] = [
    { id: 'email', header: m.email(), cell: ({ email }) => email },
    { id: 'role', header: m.role(), width: 150, cell: ({ role }) => roles.name({ role }) },
    {
      id: 'status',
      header: m.status(),
      width: 120,
      cell: ({ status }) => (
        <StatusBadge tone={TONES[status] ?? 'neutral'} plain>
          {m.statusName({ status })}
        </StatusBadge>
      ),
    },
    { id: 'sent', header: m.sent(), width: 120, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    {
      id: 'expires',
      header: m.expires(),
      width: 120,
      cell: (invitation) => (canExpire(invitation) ? <RelativeTime at={invitation.expiresAt} /> : '–'),
    },
  ]
  if (canWrite)
    columns.push({
      id: 'actions',
      header: common.actions(),
      width: 88,
      onPhones: true,
      cell: (invitation) =>
        canExpire(invitation) ? (
          <RowMenu label={m.actionsOf({ email: invitation.email })}>
            <Menu.Item onClick={() => resend.mutate(invitation.id)}>{m.resend()}</Menu.Item>
            {invitation.status === 'PENDING' && (
              <>
                <Menu.Divider />
                <Menu.Item color="red" onClick={() => setRevoking(invitation)}>
                  {m.revoke()}
                </Menu.Item>
              </>
            )}
          </RowMenu>
        ) : null,
    })
  return (
    <ListPage
      title={m.title()}
      count={invitations.data?.total}
      actions={
        canWrite && (
          <Button leftSection={<Icon name="plus" />} onClick={() => openDialog('invitation')}>
            {users.invite()}
          </Button>
        )
      }
      toolbar={<Toolbar filters={FILTERS} view={view} change={change} />}
    >
      <DataTable
        label={m.title()}
        columns={columns}
        rows={invitations.data?.data}
        isStale={invitations.isPlaceholderData}
        total={invitations.data?.total ?? 0}
        idOf={({ id }) => id}
        nameOf={({ email }) => email}
        detailOf={detailOf}
        view={view}
        change={change}
        error={invitations.error}
        retry={() => invitations.refetch()}
        empty={<p>{m.empty()}</p>}
      />
      {dialog === 'invitation' && canWrite && <InviteDialog close={closeDialog} />}
      {revoking && (
        <ConfirmDialog
          opened
          title={m.revokeTitle()}
          text={m.revokeText({ email: revoking.email })}
          verb={m.revoke()}
          act={() => revoke.mutateAsync(revoking.id)}
          close={() => setRevoking(null)}
        />
      )}
    </ListPage>
  )
}

function useInvitationWrites(orgId: string) {
  const refresh = [[orgId, 'invitations']]
  const call = (id: string) => ({ params: { path: { orgId, id } } })
  return {
    resend: useWrite({
      act: (id: string) => answerOf(member.POST('/api/v1/organizations/{orgId}/invitations/{id}/resend', call(id))),
      refresh,
      done: () => m.resent(),
    }),
    revoke: useWrite({
      act: (id: string) => answerOf(member.DELETE('/api/v1/organizations/{orgId}/invitations/{id}', call(id))),
      refresh,
      done: () => m.revoked(),
      showsError: true,
    }),
  }
}
