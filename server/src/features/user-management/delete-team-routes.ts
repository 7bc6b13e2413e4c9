import Type from 'typebox'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { type DeleteTeamDeps, deleteTeam } from './delete-team.js'

export const deleteTeamRoutes = (deps: DeleteTeamDeps): Route[] => [
  defineRoute({
    method: 'DELETE',
    path: '/api/v1/organizations/:orgId',
    permission: 'org:delete',
    tag: 'Organizations',
    summary: 'Permanently delete a team and everything in it',
    description:
      'Requires authentication within the last 15 minutes. Members keep their accounts. The team that administers the instance cannot be deleted.',
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
