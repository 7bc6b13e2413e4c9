import { Badge } from '@mantine/core'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { explain } from '../../../api/explain'
import { asProblem } from '../../../api/problem'
import m from '../../../messages/en/users.json'
import { RowsLoading } from '../../../ui/page/rows-loading'
import { ApplicationLogo } from '../../../ui/values/application-logo'
import { Monogram } from '../../../ui/values/monogram'
import { applicationsQuery } from '../../applications/queries'
import { useCurrentTeam } from '../../organizations/current-team'
import { type User, userApplicationsQuery, userGroupsQuery } from '../queries'
import { accessOf } from './access-of-user'
import { Part, PartError } from './part'
import styles from './part.module.css'

interface Props {
  user: User
  action?: ReactNode
  /** the most applications to list; the page of the user lists all */
  limit?: number
}

/** The applications that the user can open, each with what gives access to it. */
export function AccessPart({ user, action, limit = Number.POSITIVE_INFINITY }: Props) {
  const { team, me } = useCurrentTeam()
  const enabled = me.permissions.includes('applications:read')
  const assigned = useQuery({ ...userApplicationsQuery(team.id, user.id), enabled })
  const applications = useQuery({ ...applicationsQuery(team.id), enabled })
  if (!enabled) return null
  const error = assigned.error ?? applications.error
  const rows = assigned.data && applications.data && accessOf(assigned.data, applications.data)
  return (
    <Part title={m.access()} count={rows?.length} action={action}>
      {!rows && !error && <RowsLoading rows={3} height={28} />}
      {error && <PartError error={error} />}
      {rows?.length === 0 && <p className={styles.muted}>{m.noApplications()}</p>}
      <ul className={styles.lines}>
        {rows?.slice(0, limit).map(({ id, name, logoUrl, origin, groups }) => (
          <li key={id}>
            <ApplicationLogo id={id} name={name} logoUrl={logoUrl} size={22} />
            <Link to="/t/$slug/applications/$id" params={{ slug: team.slug, id }} className={styles.name}>
              {name}
            </Link>
            <span className={styles.end}>{m.origin({ origin, groups: groups.join(', ') })}</span>
          </li>
        ))}
      </ul>
      {rows && rows.length > limit && (
        <p className={styles.note}>
          <Link to="/t/$slug/users/$id/access" params={{ slug: team.slug, id: user.id }}>
            {m.viewAll({ count: rows.length })}
          </Link>
        </p>
      )}
      {user.status === 'suspended' && rows && rows.length > 0 && <p className={styles.note}>{m.suspendedNote()}</p>}
    </Part>
  )
}

/** The groups of the user, each in a line. */
export function GroupsPart({ user }: { user: User }) {
  const { team, me } = useCurrentTeam()
  const enabled = me.permissions.includes('groups:read')
  const groups = useQuery({ ...userGroupsQuery(team.id, user.id), enabled })
  if (!enabled) return null
  return (
    <Part title={m.groups()} count={groups.data?.length}>
      {groups.isPending && <RowsLoading rows={2} height={28} />}
      {groups.isError && <PartError error={groups.error} />}
      {groups.data?.length === 0 && <p className={styles.muted}>{m.noGroups()}</p>}
      <ul className={styles.lines}>
        {groups.data?.map(({ id, name }) => (
          <li key={id}>
            <Monogram of={name} size={22} />
            <Link to="/t/$slug/groups/$id" params={{ slug: team.slug, id }} className={styles.name}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </Part>
  )
}

interface GroupBadgesProps {
  query: UseQueryResult<{ id: string; name: string }[]>
}

/** The groups of the user as the value of one line. */
export function GroupBadges({ query: { data, error } }: GroupBadgesProps) {
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
