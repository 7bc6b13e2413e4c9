import Type from 'typebox'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { INSTANCE_PERMISSION } from '../../permissions/index.js'
import type { MemberDeps } from '../deps.js'
import { Member, Message, presentMember, RoleBody } from '../schema.js'
import { appointOwner } from './appoint-owner.js'
import { changeRole } from './change-role.js'

const TEAM = '/api/v1/organizations/:orgId'
const TEAM_ERRORS = ['organization_not_found', 'team_sign_in_required'] as const

export const roleRoutes = (deps: MemberDeps): Route[] => [
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
]
