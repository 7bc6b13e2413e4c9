import { answerOf, inTeam, member } from '../../api/client'
import { useWrite } from '../../api/use-write'
import m from '../../messages/en/groups.json'
import { useCurrentTeam } from '../organizations/current-team'

interface GroupFields {
  name: string
  description: string
}

const bodyOf = ({ name, description }: GroupFields) => ({ name, description: description || null })

export function useCreateGroup() {
  const { team } = useCurrentTeam()
  return useWrite({
    act: (fields: GroupFields) => answerOf(member.POST('/api/v1/groups', { ...inTeam(team.id), body: bodyOf(fields) })),
    refresh: [[team.id, 'groups']],
    done: () => m.groupCreated(),
    showsError: true,
  })
}

/** The writes on one group, each with its toast. */
export function useGroupWrites(id: string, name: string) {
  const { team } = useCurrentTeam()
  const call = { ...inTeam(team.id), params: { path: { id } } }
  const refresh = [
    [team.id, 'groups'],
    [team.id, 'users'],
    [team.id, 'applications'],
  ]
  // Without the queries of the group, which no longer exists.
  const lists = [
    [team.id, 'groups', 'list'],
    [team.id, 'users'],
    [team.id, 'applications'],
  ]
  return {
    change: useWrite({
      act: (fields: GroupFields) => answerOf(member.PUT('/api/v1/groups/{id}', { ...call, body: bodyOf(fields) })),
      refresh,
      done: () => m.groupSaved(),
      showsError: true,
    }),
    remove: useWrite({
      act: () => answerOf(member.DELETE('/api/v1/groups/{id}', call)),
      refresh: lists,
      done: () => m.deleted({ name }),
      showsError: true,
    }),
    setMembers: useWrite({
      act: ({ userIds, etag }: { userIds: string[]; etag: string | null }) =>
        answerOf(
          member.PUT('/api/v1/groups/{id}/users', {
            ...call,
            headers: { ...call.headers, ...(etag && { 'if-match': etag }) },
            body: { userIds },
          }),
        ),
      refresh,
      done: () => m.membersSaved(),
    }),
    assign: useWrite({
      act: ({ applicationIds }: { applicationIds: string[] }) =>
        answerOf(member.PUT('/api/v1/groups/{id}/applications', { ...call, body: { applicationIds } })),
      refresh,
      done: () => m.assigned(),
      showsError: true,
    }),
  }
}

export type GroupWrites = ReturnType<typeof useGroupWrites>
