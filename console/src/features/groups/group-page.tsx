import { Button, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { asProblem } from '../../api/problem'
import common from '../../messages/en/common.json'
import m from '../../messages/en/groups.json'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog'
import { Icon } from '../../ui/icons/icon'
import rows from '../../ui/page/item-row.module.css'
import { LoadError } from '../../ui/page/load-error'
import { NoSuchItem } from '../../ui/page/no-such-item'
import { Page } from '../../ui/page/page'
import content from '../../ui/page/page.module.css'
import { PageHeader } from '../../ui/page/page-header'
import { Panel } from '../../ui/page/panel'
import { RowsLoading } from '../../ui/page/rows-loading'
import { ApplicationLogo } from '../../ui/values/application-logo'
import { Monogram } from '../../ui/values/monogram'
import { NeedsPermission } from '../applications/needs-permission'
import { useCurrentTeam } from '../organizations/current-team'
import { ApplicationsDialog } from './applications-dialog'
import { GroupDialog } from './group-dialog'
import { MembersPanel } from './members-panel'
import { type GroupWrites, useGroupWrites } from './mutations'
import { type Group, groupApplicationsQuery, groupQuery } from './queries'

const route = getRouteApi('/signed-in/t/$slug/groups/$id')

/** One group: its members and its applications. */
export function GroupPage() {
  const { team, me } = useCurrentTeam()
  const { id } = route.useParams()
  const mayRead = me.permissions.includes('groups:read')
  const group = useQuery({ ...groupQuery(team.id, id), enabled: mayRead })
  const list = { to: '/t/$slug/groups', params: { slug: team.slug } } as const
  const crumbs = [{ ...list, name: m.title() }]
  if (!mayRead) return <NeedsPermission permission="groups:read" />
  if (group.isError && asProblem(group.error).status === 404)
    return <NoSuchItem title={m.notFound()} lead={m.notFoundLead()} list={{ ...list, name: m.toList() }} />
  if (!group.data)
    return (
      <Page title={m.group()} crumbs={crumbs}>
        {group.isError ? (
          <LoadError error={group.error} retry={() => group.refetch()} />
        ) : (
          <RowsLoading rows={2} height={160} />
        )}
      </Page>
    )
  return <Details group={group.data} crumbs={crumbs} />
}

type Crumbs = readonly { to: '/t/$slug/groups'; params: { slug: string }; name: string }[]

function Details({ group, crumbs }: { group: Group; crumbs: Crumbs }) {
  const { team, me } = useCurrentTeam()
  const navigate = useNavigate()
  const writes = useGroupWrites(group.id, group.name)
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null)
  const close = () => setDialog(null)
  const canWrite = me.permissions.includes('groups:write')
  const leave = () => navigate({ to: '/t/$slug/groups', params: { slug: team.slug } })
  return (
    <>
      <PageHeader
        crumbs={crumbs}
        picture={<Monogram of={group.name} size={28} />}
        heading={group.name}
        actions={
          canWrite && (
            <>
              <Button variant="default" onClick={() => setDialog('edit')}>
                {m.edit()}
              </Button>
              <Menu position="bottom-end">
                <Menu.Target>
                  <Button variant="default" aria-label={common.moreActions()} title={common.moreActions()} px={8}>
                    <Icon name="dots" />
                  </Button>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item color="red" onClick={() => setDialog('delete')}>
                    {m.delete()}
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            </>
          )
        }
      />
      <div className={content.content}>
        {group.description && <p className={content.lead}>{group.description}</p>}
        <MembersPanel groupId={group.id} writes={writes} />
        {me.permissions.includes('applications:read') && <ApplicationsPanel groupId={group.id} writes={writes} />}
      </div>
      {dialog === 'edit' && <GroupDialog group={group} send={writes.change.mutateAsync} close={close} />}
      {dialog === 'delete' && (
        <ConfirmDialog
          opened
          title={m.deleteTitle({ name: group.name })}
          text={m.deleteText()}
          verb={m.delete()}
          act={() => writes.remove.mutateAsync().then(leave)}
          close={close}
        />
      )}
    </>
  )
}

function ApplicationsPanel({ groupId, writes }: { groupId: string; writes: GroupWrites }) {
  const { team, me } = useCurrentTeam()
  const enabled = me.permissions.includes('applications:read')
  const applications = useQuery({ ...groupApplicationsQuery(team.id, groupId), enabled })
  const [assigning, setAssigning] = useState(false)
  if (!enabled) return null
  return (
    <Panel
      title={m.applications()}
      action={
        me.permissions.includes('applications:write') &&
        applications.data && (
          <Button variant="default" onClick={() => setAssigning(true)}>
            {m.assign()}
          </Button>
        )
      }
    >
      {applications.isError && <LoadError error={applications.error} retry={() => applications.refetch()} />}
      {applications.data?.length === 0 && <p className={content.lead}>{m.noApplications()}</p>}
      <ul className={rows.list}>
        {applications.data?.map(({ id, name }) => (
          <li key={id} className={rows.row}>
            <ApplicationLogo id={id} name={name} logoUrl={null} size={22} />
            <div className={rows.title}>
              <Link to="/t/$slug/applications/$id" params={{ slug: team.slug, id }}>
                {name}
              </Link>
            </div>
          </li>
        ))}
      </ul>
      {assigning && applications.data && (
        <ApplicationsDialog
          assigned={applications.data.map(({ id }) => id)}
          send={writes.assign.mutateAsync}
          close={() => setAssigning(false)}
        />
      )}
    </Panel>
  )
}
