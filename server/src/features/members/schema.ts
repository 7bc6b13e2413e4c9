import Type from 'typebox'
import { nullable, oneOf, pageSchema, timestamp } from '../../platform/http/schema-parts.js'
import { ROLES } from '../permissions/index.js'
import type { Membership } from './find-member.js'
import type { ListedMember } from './list-members.js'

/** A route on the team in the path. */
export const TEAM = '/api/v1/organizations/:orgId'
export const OF_TEAM = { params: Type.Object({ orgId: Type.String() }), teamInPath: true } as const
export const TEAM_ERRORS = ['organization_not_found', 'team_sign_in_required'] as const

export const RoleName = oneOf(...ROLES)

export const RoleBody = Type.Object({ role: RoleName })
const member = {
  id: Type.String(),
  userId: Type.String(),
  organizationId: Type.String(),
  role: Type.String({ description: 'OWNER, one of the ten administrator roles, MEMBER or VIEWER' }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
}

export const Member = Type.Object(member, { $id: 'Member' })
export const MemberPage = pageSchema(
  Type.Object(
    {
      ...member,
      email: Type.String(),
      firstName: nullable(Type.String()),
      lastName: nullable(Type.String()),
      status: Type.String({ description: 'pending (until the first sign-in), active or suspended' }),
    },
    { $id: 'ListedMember' },
  ),
)

export const presentMember = ({ id, userId, organizationId, role, createdAt, updatedAt }: Membership) => ({
  id,
  userId,
  organizationId,
  role,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

export const presentListed = ({ createdAt, updatedAt, ...member }: ListedMember) => ({
  ...member,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})
