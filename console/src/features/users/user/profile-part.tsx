import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import roles from '../../../messages/en/roles.json'
import m from '../../../messages/en/users.json'
import { DescriptionList } from '../../../ui/page/description-list'
import { RelativeTime } from '../../../ui/values/relative-time'
import { ShortId } from '../../../ui/values/short-id'
import { useCurrentTeam } from '../../organizations/current-team'
import { type User, userGroupsQuery } from '../queries'
import { GroupBadges } from './access-part'
import { Part } from './part'
import styles from './part.module.css'

interface Props {
  user: User
  action?: ReactNode
}

const membershipOf = (user: User) => [
  {
    name: m.source(),
    value: [m.sourceName({ source: user.source ?? '' }), user.managed && m.managed()].filter(Boolean).join(' · '),
  },
  ...(user.leaveAt ? [{ name: m.leaveDate(), value: user.leaveAt.slice(0, 10) }] : []),
  { name: m.created(), value: <RelativeTime at={user.createdAt} /> },
  { name: m.userId(), value: <ShortId id={user.id} label={m.userId()} /> },
]

const roleOf = (user: User) => ({ name: m.role(), value: roles.name({ role: user.roleExact ?? user.role }) })

/** The profile in a few lines, for the drawer. */
export function ProfilePart({ user, action }: Props) {
  const optional = [
    { name: m.department(), value: user.department },
    { name: m.jobTitle(), value: user.title },
    { name: m.phone(), value: user.phone },
  ].filter(({ value }) => value !== null)
  const groups = useGroups(user)
  return (
    <Part title={m.profile()} action={action}>
      <DescriptionList items={[roleOf(user), ...groups, ...optional, ...membershipOf(user)]} />
    </Part>
  )
}

/** The groups of the user as one line, if the administrator may read them. */
function useGroups(user: User) {
  const { team, me } = useCurrentTeam()
  const enabled = me.permissions.includes('groups:read')
  const groups = useQuery({ ...userGroupsQuery(team.id, user.id), enabled })
  return enabled ? [{ name: m.groups(), value: <GroupBadges query={groups} /> }] : []
}

/** All that the team stores about the user, for the page. */
export function ProfileFields({ user, action }: Props) {
  const fields = [
    { name: m.email(), value: user.email },
    { name: m.firstName(), value: user.firstName },
    { name: m.lastName(), value: user.lastName },
    { name: m.department(), value: user.department },
    { name: m.jobTitle(), value: user.title },
    { name: m.phone(), value: user.phone },
    { name: m.locale(), value: user.locale },
  ]
  return (
    <Part title={m.profile()} action={action}>
      <DescriptionList
        items={fields.map(({ name, value }) => ({
          name,
          value: value ?? <span className={styles.muted}>{m.notSet()}</span>,
        }))}
      />
    </Part>
  )
}

/** The role, the groups and the dates of the membership, for the page. */
export function MembershipPart({ user, action }: Props) {
  const groups = useGroups(user)
  const { lastSignInAt } = user
  return (
    <Part title={m.membership()} action={action}>
      <DescriptionList
        items={[
          roleOf(user),
          ...groups,
          { name: m.lastSignIn(), value: lastSignInAt ? <RelativeTime at={lastSignInAt} /> : m.never() },
          ...membershipOf(user),
        ]}
      />
    </Part>
  )
}
