import { useQuery } from '@tanstack/react-query'
import { answerOf, inTeam, member } from '../api/client'

/** The sections of a team whose number of objects the sidebar shows. */
export interface Counts {
  users?: number | undefined
  groups?: number | undefined
  /** pending */
  invitations?: number | undefined
}

// A badge need not be exact at each moment; the writes of the console refresh it. Without a response there is no badge.
const BADGE = { staleTime: 60_000, retry: false }
const ONE = { limit: 1 }

/** Counts the users, groups and pending invitations that the user may read. Undefined until a count is known. */
export function useCounts(teamId: string | undefined, permissions: readonly string[]): Counts {
  const id = teamId ?? ''
  const enabled = (permission: string) => teamId !== undefined && permissions.includes(permission)
  const users = useQuery({
    ...BADGE,
    queryKey: [id, 'users', 'list', 'count'],
    queryFn: () => answerOf(member.GET('/api/v1/users', { ...inTeam(id), params: { query: ONE } })),
    enabled: enabled('users:read'),
  })
  const groups = useQuery({
    ...BADGE,
    queryKey: [id, 'groups', 'list', 'count'],
    queryFn: () => answerOf(member.GET('/api/v1/groups', { ...inTeam(id), params: { query: ONE } })),
    enabled: enabled('groups:read'),
  })
  const invitations = useQuery({
    ...BADGE,
    queryKey: [id, 'invitations', 'count'],
    queryFn: () =>
      answerOf(
        member.GET('/api/v1/organizations/{orgId}/invitations', {
          params: { path: { orgId: id }, query: { status: 'PENDING', ...ONE } },
        }),
      ),
    enabled: enabled('members:read'),
  })
  return { users: users.data?.total, groups: groups.data?.total, invitations: invitations.data?.total }
}
