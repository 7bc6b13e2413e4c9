import { answerOf, inTeam, member } from '../../../api/client'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/application-access.json'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentApplication } from '../current-application'

/** The assigned users or groups, as they were read. */
export interface Assigned {
  ids: string[]
  etag: string | null
}

/** The writes on the assigned users or groups. A concurrent change is rejected, and the page refreshes. */
export function useAssignment(kind: 'users' | 'groups', { ids, etag }: Assigned) {
  const { team } = useCurrentTeam()
  const { id } = useCurrentApplication()
  const call = {
    params: { path: { appId: id } },
    headers: { ...inTeam(team.id).headers, ...(etag && { 'if-match': etag }) },
  }
  const replace = (next: string[]): Promise<unknown> =>
    kind === 'users'
      ? answerOf(member.PUT('/api/v1/applications/{appId}/users', { ...call, body: { userIds: next } }))
      : answerOf(member.PUT('/api/v1/applications/{appId}/groups', { ...call, body: { groupIds: next } }))
  const refresh = [
    [team.id, 'applications'],
    [team.id, 'users'],
    [team.id, 'groups'],
  ]
  return {
    add: useWrite({
      act: (added: string[]) => replace([...new Set([...ids, ...added])]),
      refresh,
      done: (_: unknown, added) => m.assigned({ count: added.length }),
      showsError: true,
    }),
    remove: useWrite({
      act: (removed: { id: string; name: string }) => replace(ids.filter((one) => one !== removed.id)),
      refresh,
      done: (_: unknown, { name }) => m.removed({ name }),
      showsError: true,
    }),
  }
}
