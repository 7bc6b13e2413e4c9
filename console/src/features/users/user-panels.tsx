import { Badge, Button } from '@mantine/core'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { explain } from '../../api/explain'
import { asProblem } from '../../api/problem'
import roles from '../../messages/en/roles.json'
import m from '../../messages/en/users.json'
import { ApplicationLogo } from '../../ui/application-logo'
import { DescriptionList } from '../../ui/description-list'
import { Icon } from '../../ui/icons/icon'
import { RelativeTime } from '../../ui/relative-time'
import { ShortId } from '../../ui/short-id'
import { useCurrentTeam } from '../organizations/current-team'
import { type User, userActivityQuery, userApplicationsQuery, userGroupsQuery, userSessionsQuery } from './queries'
import styles from './user-panels.module.css'

interface PanelProps {
  title: string
  count?: number | undefined
  action?: ReactNode
  children: ReactNode
}

/** A part of a user's details, in the drawer and on the page. */
function Part({ title, count, action, children }: PanelProps) {
  return (
    <section className={styles.part}>
      <div className={styles.head}>
        <h2 className={styles.title}>
          {title} {count !== undefined && <span className={styles.count}>{count}</span>}
        </h2>
        {action}
      </div>
      {children}
    </section>
  )
}

function Failed({ error }: { error: unknown }) {
  return <p className={styles.muted}>{explain(asProblem(error))}</p>
}

interface Props {
  user: User
  action?: ReactNode
}

export function ProfilePart({ user, action }: Props) {
  const { team, me } = useCurrentTeam()
  const canReadGroups = me.permissions.includes('groups:read')
  const groups = useQuery({ ...userGroupsQuery(team.id, user.id), enabled: canReadGroups })
  const optional = [
    { name: m.department(), value: user.department },
    { name: m.jobTitle(), value: user.title },
    { name: m.phone(), value: user.phone },
  ].filter(({ value }) => value !== null)
  return (
    <Part title={m.profile()} action={action}>
      <DescriptionList
        items={[
          { name: m.role(), value: roles.name({ role: user.roleExact ?? user.role }) },
          ...(canReadGroups ? [{ name: m.groups(), value: <Groups query={groups} /> }] : []),
          ...optional,
          { name: m.source(), value: m.sourceName({ source: user.source ?? '' }) },
          ...(user.leaveAt ? [{ name: m.leaveDate(), value: user.leaveAt.slice(0, 10) }] : []),
          { name: m.created(), value: <RelativeTime at={user.createdAt} /> },
          { name: m.userId(), value: <ShortId id={user.id} label={m.userId()} /> },
        ]}
      />
    </Part>
  )
}

interface GroupsProps {
  query: UseQueryResult<{ id: string; name: string }[]>
}

function Groups({ query: { data, error } }: GroupsProps) {
  const { team } = useCurrentTeam()
  if (error) return explain(asProblem(error))
  if (data?.length === 0) return m.noGroups()
  return data?.map(({ id, name }) => (
    <Badge
      key={id}
      renderRoot={(props) => <Link to="/t/$slug/groups/$id" params={{ slug: team.slug, id }} {...props} />}
    >
      {name}
    </Badge>
  ))
}

export function AccessPart({ user, action }: Props) {
  const { team, me } = useCurrentTeam()
  const access = useQuery({
    ...userApplicationsQuery(team.id, user.id),
    enabled: me.permissions.includes('applications:read'),
  })
  if (!me.permissions.includes('applications:read')) return null
  const direct = access.data?.applications ?? []
  const inherited = access.data?.inherited ?? []
  const rows = [
    ...direct.map((application) => ({ ...application, origin: m.direct() })),
    ...inherited
      .filter(({ id }) => !direct.some((one) => one.id === id))
      .map(({ via, ...application }) => ({ ...application, origin: m.via({ groups: via.map(groupName).join(', ') }) })),
  ]
  return (
    <Part title={m.access()} count={access.data && rows.length} action={action}>
      {access.isError && <Failed error={access.error} />}
      {access.data && rows.length === 0 && <p className={styles.muted}>{m.noApplications()}</p>}
      <ul className={styles.lines}>
        {rows.map(({ id, name, origin }) => (
          <li key={id}>
            <ApplicationLogo id={id} name={name} logoUrl={null} size={22} />
            <Link to="/t/$slug/applications/$id" params={{ slug: team.slug, id }} className={styles.name}>
              {name}
            </Link>
            <span className={styles.end}>{origin}</span>
          </li>
        ))}
      </ul>
      <p className={styles.note}>{m.everyoneNote()}</p>
    </Part>
  )
}

const groupName = (group: unknown): string =>
  typeof group === 'object' && group !== null && 'name' in group ? String(group.name) : String(group)

export function SessionsPart({ user, action }: Props) {
  const { team } = useCurrentTeam()
  const sessions = useQuery(userSessionsQuery(team.id, user.id))
  return (
    <Part title={m.sessions()} count={sessions.data?.length} action={sessions.data?.length ? action : undefined}>
      {sessions.isError && <Failed error={sessions.error} />}
      {sessions.data?.length === 0 && <p className={styles.muted}>{m.noSessions()}</p>}
      <ul className={styles.lines}>
        {sessions.data?.map(({ id, device, ipAddress, lastSeenAt }) => (
          <li key={id}>
            <Icon name="devices" size={16} />
            <span className={styles.name}>{device}</span>
            {ipAddress && <code className={styles.address}>{ipAddress}</code>}
            <span className={styles.end}>
              <RelativeTime at={lastSeenAt} />
            </span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

export function ActivityPart({ user, limit, action }: Props & { limit: number }) {
  const { team, me } = useCurrentTeam()
  const can = me.permissions.includes('audit:read')
  const activity = useQuery({ ...userActivityQuery(team.id, user.id, limit), enabled: can })
  if (!can) return null
  return (
    <Part title={m.activity()} action={action}>
      {activity.isError && <Failed error={activity.error} />}
      {activity.data?.length === 0 && <p className={styles.muted}>{m.noActivity()}</p>}
      <ul className={styles.lines}>
        {activity.data?.map(({ id, action: name, result, target, createdAt }) => (
          <li key={id}>
            <span className={styles.dot} data-result={result} />
            <span className={styles.name}>
              <code>{name}</code> {target?.label}
            </span>
            <span className={styles.end}>
              <RelativeTime at={createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

/** A quiet button at the end of a part's title. */
export function PartAction({ name, run }: { name: string; run: () => void }) {
  return (
    <Button variant="subtle" size="compact-xs" onClick={run}>
      {name}
    </Button>
  )
}
