import Type from 'typebox'
import { PageQuery, pageOf } from '../../platform/http/paging.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import type { MemberDeps } from './deps.js'
import { invitationRoutes } from './invitations/routes.js'
import { joiningRoutes } from './joining/routes.js'
import { organizationRoutes } from './organizations/routes.js'
import { listMembers } from './queries.js'
import { roleRoutes } from './roles/routes.js'
import { MemberPage, presentListed } from './schema.js'

const TEAM = '/api/v1/organizations/:orgId'
const TEAM_ERRORS = ['organization_not_found', 'team_sign_in_required'] as const
const params = Type.Object({ orgId: Type.String() })

export const memberRoutes = (deps: MemberDeps): Route[] => [
  ...organizationRoutes(deps),
  ...joiningRoutes(deps),
  defineRoute({
    method: 'GET',
    path: `${TEAM}/members`,
    permission: 'members:read',
    tag: 'Members and invitations',
    summary: 'List the members of a team, newest first',
    params,
    teamInPath: true,
    query: Type.Object(PageQuery),
    responses: { 200: MemberPage },
    errors: TEAM_ERRORS,
    handle: async ({ actor, query }) => {
      const page = pageOf(query)
      const { rows, total } = await listMembers(deps, actor, page)
      return { data: rows.map(presentListed), total, ...page }
    },
  }),
  ...roleRoutes(deps),
  ...invitationRoutes(deps),
]
