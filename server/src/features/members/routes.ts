import Type from 'typebox'
import { PageQuery, pageOf } from '../../platform/http/paging.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { Message } from '../../platform/http/schema-parts.js'
import { INSTANCE_PERMISSION } from '../permissions/index.js'
import type { MemberDeps } from './deps.js'
import { invitationRoutes } from './invitations/routes.js'
import { joiningRoutes } from './joining/routes.js'
import { listMembers } from './list-members.js'
import { organizationRoutes } from './organizations/routes.js'
import { appointOwner, changeRole } from './roles/change-role.js'
import { Member, MemberPage, OF_TEAM, presentListed, presentMember, RoleBody, TEAM, TEAM_ERRORS } from './schema.js'

export const memberRoutes = (deps: MemberDeps): Route[] => [
  ...organizationRoutes(deps),
  ...joiningRoutes(deps),
  defineRoute({
    ...OF_TEAM,
    method: 'GET',
    path: `${TEAM}/members`,
    permission: 'members:read',
    tag: 'Members and invitations',
    summary: 'List the members of a team, newest first',
    query: Type.Object(PageQuery),
    responses: { 200: MemberPage },
    errors: TEAM_ERRORS,
    handle: async ({ actor, query }) => {
      const page = pageOf(query)
      const { rows, total } = await listMembers(deps, actor, page)
      return { data: rows.map(presentListed), total, ...page }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/config/team-owners',
    permission: INSTANCE_PERMISSION,
    tag: 'Instance settings',
    summary: 'Appoint the owner of a team that has none',
    description:
      "For a team whose last owner disowned the account. The new owner must be an active member, given by email address. A team with an active owner or super-admin returns the error of an unknown one. The instance's audit log lists teams without an owner (`organization.owner_missing`). Extension.",
    body: Type.Object({ teamId: Type.String({ maxLength: 100 }), email: Type.String({ maxLength: 320 }) }),
    responses: { 200: Message },
    errors: ['organization_not_found', 'member_not_found'],
    handle: async ({ actor, body }) => {
      await appointOwner(deps, actor, body)
      return { message: 'The member now owns the team' }
    },
  }),
  defineRoute({
    method: 'PUT',
    path: `${TEAM}/members/:memberId/role`,
    permission: 'members:write',
    tag: 'Members and invitations',
    summary: 'Change the role of a member',
    description: '`memberId` is the membership ID or the user ID.',
    params: Type.Object({ orgId: Type.String(), memberId: Type.String() }),
    teamInPath: true,
    body: RoleBody,
    responses: { 200: Member },
    errors: ['member_not_found', 'role_protected', 'last_admin', ...TEAM_ERRORS],
    handle: async ({ actor, params, body }) => presentMember(await changeRole(deps, actor, params.memberId, body.role)),
  }),
  ...invitationRoutes(deps),
]
