import Type from 'typebox'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { type DeleteTeamDeps, deleteTeam } from './delete-team.js'

export const deleteTeamRoutes = (deps: DeleteTeamDeps): Route[] => [
  defineRoute({
    method: 'DELETE',
    path: '/api/v1/organizations/:orgId',
    permission: 'org:delete',
    tag: 'Organizations',
    summary: 'Delete a team and everything in it, for ever',
    description:
      'Wants a proof at most 15 minutes old. Its members keep their accounts. The team that administers the instance is never deleted.',
    params: Type.Object({ orgId: Type.String() }),
    teamInPath: true,
    responses: { 200: Type.Object({ message: Type.String() }) },
    errors: ['reauthentication_required', 'instance_team', 'organization_not_found', 'team_sign_in_required'],
    handle: async ({ actor }) => {
      await deleteTeam(deps, actor)
      return { message: 'The team and everything in it was deleted' }
    },
  }),
]
