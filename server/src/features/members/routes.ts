import Type from 'typebox'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { sessionRole } from '../access/index.js'
import { CreateTeam, presentTeam, Team } from '../organizations/index.js'
import { createTeam, type MemberDeps } from './create-team.js'
import { listTeams, readTeam } from './queries.js'

export const memberRoutes = (deps: MemberDeps): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/v1/organizations',
    permission: 'signed-in',
    tag: 'Organizations',
    summary: 'Create a team; the caller becomes its first super-admin',
    body: CreateTeam,
    responses: { 201: Team },
    errors: ['slug_taken', 'team_sign_in_required'],
    handle: async ({ actor, body }) => {
      const { team, role } = await createTeam(deps, actor, body)
      return presentTeam(team, sessionRole(role))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/organizations',
    permission: 'signed-in',
    tag: 'Organizations',
    summary: 'The teams that the caller belongs to',
    responses: { 200: Type.Object({ data: Type.Array(Team) }) },
    handle: async ({ actor }) => ({
      data: (await listTeams(deps, actor)).map(({ team, role }) => presentTeam(team, sessionRole(role))),
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/organizations/:orgId',
    permission: 'org:read',
    tag: 'Organizations',
    summary: 'One team',
    params: Type.Object({ orgId: Type.String() }),
    teamInPath: true,
    responses: { 200: Team },
    errors: ['organization_not_found', 'team_sign_in_required'],
    handle: async ({ actor }) => presentTeam(await readTeam(deps, actor), sessionRole(actor.role)),
  }),
]
