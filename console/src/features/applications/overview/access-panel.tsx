import { useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import access from '../../../messages/en/application-access.json'
import m from '../../../messages/en/applications.json'
import { Icon, type IconName } from '../../../ui/icons/icon'
import rows from '../../../ui/page/item-row.module.css'
import { Panel } from '../../../ui/page/panel'
import { groupQuery } from '../../groups/queries'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentApplication } from '../current-application'
import { assignmentsQuery } from '../queries'
import styles from './access-panel.module.css'
import { userCountQuery } from './activity'

const SHOWN = 5

/** The users and groups who can open the application. */
export function AccessPanel() {
  const { team, me } = useCurrentTeam()
  const { id, assignmentRequired } = useCurrentApplication()
  const count = useQuery({ ...userCountQuery(team.id, id), enabled: me.permissions.includes('users:read') })
  return (
    <Panel
      title={m.access()}
      about={count.data !== undefined && m.userCount({ count: count.data })}
      action={
        <Link to="/t/$slug/applications/$id/access" params={{ slug: team.slug, id }}>
          {m.manage()}
        </Link>
      }
    >
      <ul className={rows.list}>
        {assignmentRequired ? <Assigned /> : <Row icon="users">{m.accessName({ access: 'everyone' })}</Row>}
      </ul>
    </Panel>
  )
}

function Assigned() {
  const { team, me } = useCurrentTeam()
  const { id } = useCurrentApplication()
  const assignments = useQuery(assignmentsQuery(team.id, id)).data
  const groupIds = assignments?.groups.ids ?? []
  const mayReadGroups = me.permissions.includes('groups:read')
  const groups = useQueries({
    queries: groupIds.slice(0, mayReadGroups ? SHOWN : 0).map((group) => groupQuery(team.id, group)),
  })
  if (!assignments) return null
  const users = assignments.users.ids.length
  const others = groupIds.length - groups.length
  if (users + groupIds.length === 0) return <Row icon="lock">{access.assignedOnly({ count: 0 })}</Row>
  return (
    <>
      {groups.map(
        ({ data: group }) =>
          group && (
            <Row key={group.id} icon="group" end={m.userCount({ count: group.memberCount })}>
              <Link to="/t/$slug/groups/$id" params={{ slug: team.slug, id: group.id }}>
                {group.name}
              </Link>
            </Row>
          ),
      )}
      {others > 0 && (
        <Row icon="group">{groups.length > 0 ? m.moreGroups({ count: others }) : m.groupCount({ count: others })}</Row>
      )}
      {users > 0 && (
        <Row icon="user" end={m.userCount({ count: users })}>
          {m.assignedDirectly()}
        </Row>
      )}
    </>
  )
}

function Row({ icon, end, children }: { icon: IconName; end?: string; children: ReactNode }) {
  return (
    <li className={`${rows.row} ${styles.row}`} data-short>
      <Icon name={icon} />
      <p className={rows.title}>{children}</p>
      {end && <span className={styles.end}>{end}</span>}
    </li>
  )
}
