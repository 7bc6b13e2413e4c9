import { answerOf, inTeam, member } from '../../api/client'
import type { paths } from '../../api/schema.gen'
import { useWrite } from '../../api/use-write'
import m from '../../messages/en/users.json'
import { useCurrentTeam } from '../organizations/current-team'

export type UserChanges = paths['/api/v1/users/{id}']['put']['requestBody']['content']['application/json']
export type InvitedRole =
  paths['/api/v1/organizations/{orgId}/members/invite']['post']['requestBody']['content']['application/json']['role']

/** The writes on one user, each with its toast. */
export function useUserWrites(id: string, name: string) {
  const { team } = useCurrentTeam()
  const call = { ...inTeam(team.id), params: { path: { id } } }
  const refresh = [[team.id, 'users']]
  // Without the queries of the user, who no longer exists in the team.
  const lists = [
    [team.id, 'users', 'list'],
    [team.id, 'groups'],
    [team.id, 'applications'],
  ]
  const change = (body: UserChanges) => answerOf(member.PUT('/api/v1/users/{id}', { ...call, body }))
  return {
    change: useWrite({ act: change, refresh, done: () => m.changed(), showsError: true }),
    setRole: useWrite({
      act: ({ role }: { role: NonNullable<UserChanges['role']> }) => change({ role }),
      refresh,
      done: () => m.roleChanged(),
      showsError: true,
    }),
    suspend: useWrite({
      act: () => change({ status: 'suspended' }),
      refresh,
      done: () => m.suspended({ name }),
      showsError: true,
    }),
    lockDown: useWrite({
      act: () => answerOf(member.POST('/api/v1/users/{id}/lock-down', call)),
      refresh,
      done: () => m.lockedDown({ name }),
      showsError: true,
    }),
    activate: useWrite({ act: () => change({ status: 'active' }), refresh, done: () => m.activated({ name }) }),
    remove: useWrite({
      act: () => answerOf(member.DELETE('/api/v1/users/{id}', call)),
      refresh: lists,
      done: () => m.removed({ name }),
      showsError: true,
    }),
    sendReset: useWrite({
      act: () => answerOf(member.POST('/api/v1/users/{id}/password-reset', { ...call, body: {} })),
      refresh,
      done: () => m.resetSent(),
      showsError: true,
    }),
    resetTwoStep: useWrite({
      act: () => answerOf(member.POST('/api/v1/users/{id}/mfa/reset', call)),
      refresh,
      done: () => m.twoStepReset(),
      showsError: true,
    }),
    endSessions: useWrite({
      act: () => answerOf(member.POST('/api/v1/users/{id}/sessions/revoke', call)),
      refresh,
      done: () => m.sessionsEnded(),
      showsError: true,
    }),
    resendInvitation: useWrite({
      act: () => answerOf(member.POST('/api/v1/users/{id}/invite/resend', call)),
      refresh,
      done: () => m.invitationSent(),
    }),
  }
}

export type UserWrites = ReturnType<typeof useUserWrites>

/** Invites one email address to the team. */
export function inviteMember(teamId: string, email: string, role: InvitedRole) {
  return answerOf(
    member.POST('/api/v1/organizations/{orgId}/members/invite', {
      params: { path: { orgId: teamId } },
      body: { email, role },
    }),
  )
}
