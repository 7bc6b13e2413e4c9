import Type from 'typebox'
import { type Actor, TEAM_RESTRICTIONS } from '../../../platform/http/actor.js'
import { declaredFields } from '../../../platform/http/declared-fields.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import {
  CreateTeam,
  type Organization,
  presentTeam,
  presentTeamWithSettings,
  Team,
  TeamWithSettings,
  UpdateSettings,
  UpdateTeam,
} from '../../teams/index.js'
import type { MemberDeps } from '../deps.js'
import { OF_TEAM, TEAM, TEAM_ERRORS } from '../schema.js'
import { createTeam, listTeams, readTeam, updateTeam, updateTeamSettings } from './manage-teams.js'

const tag = 'Organizations'

const withSettings = async ({ db, logoStatusOf }: MemberDeps, { role }: Actor, team: Organization) =>
  presentTeamWithSettings(team, role, await logoStatusOf(db, team.id))

export const organizationRoutes = (deps: MemberDeps): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/v1/organizations',
    permission: 'signed-in',
    accountWide: true,
    allowedRestrictions: TEAM_RESTRICTIONS,
    tag,
    summary: 'Create a team; the caller becomes its first super-admin',
    body: CreateTeam,
    responses: { 201: Team },
    errors: ['slug_taken', 'slug_reserved', 'team_sign_in_required'],
    handle: async ({ actor, body }) => {
      const { team, role } = await createTeam(deps, actor, body)
      return presentTeam(team, role)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/organizations',
    permission: 'signed-in',
    allowedRestrictions: TEAM_RESTRICTIONS,
    tag,
    summary: "List the caller's teams",
    description: 'At most 1,000, by name. Of more, confirmed ones take precedence, then the newest.',
    responses: { 200: Type.Object({ data: Type.Array(Team) }) },
    handle: async ({ actor }) => ({
      data: (await listTeams(deps, actor)).map(({ team, role }) => presentTeam(team, role)),
    }),
  }),
  defineRoute({
    ...OF_TEAM,
    method: 'GET',
    path: TEAM,
    permission: 'org:read',
    tag,
    summary: 'Get a team',
    responses: { 200: Team },
    errors: TEAM_ERRORS,
    handle: async ({ actor }) => presentTeam(await readTeam(deps, actor), actor.role),
  }),
  defineRoute({
    ...OF_TEAM,
    method: 'PUT',
    path: TEAM,
    permission: 'org:update',
    tag,
    summary: 'Update a team; fields that are left out do not change',
    description:
      'A suspended team admits only its owners and super-admins. If ORGANIZATION_LIMITS is `instance`, only instance administrators can change plan, status, maxMembers and maxApplications.',
    body: UpdateTeam,
    responses: { 200: Team },
    errors: ['slug_taken', 'slug_reserved', ...TEAM_ERRORS],
    handle: async ({ actor, body }) =>
      presentTeam(await updateTeam(deps, actor, declaredFields(body, UpdateTeam)), actor.role),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/org',
    permission: 'org:read',
    tag,
    summary: 'Get the team of the token or of x-org-id, with its settings',
    responses: { 200: TeamWithSettings },
    errors: ['organization_not_found'],
    handle: async ({ actor }) => withSettings(deps, actor, await readTeam(deps, actor)),
  }),
  defineRoute({
    method: 'PUT',
    path: '/api/v1/org',
    permission: 'org:update',
    tag,
    summary: 'Update the name of the team and merge its settings',
    body: UpdateSettings,
    responses: { 200: TeamWithSettings },
    errors: ['organization_not_found'],
    handle: async ({ actor, body }) => withSettings(deps, actor, await updateTeamSettings(deps, actor, body)),
  }),
]
