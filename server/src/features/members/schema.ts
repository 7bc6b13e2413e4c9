import Type from 'typebox'
import { nullable, timestamp } from '../../platform/http/schema-parts.js'
import { ROLES } from '../permissions/index.js'
import type { ListedMember, Membership } from './repository.js'

export const oneOf = <const Names extends readonly string[]>(names: Names) =>
  Type.Unsafe<Names[number]>({ type: 'string', enum: names })

export const RoleName = oneOf(ROLES)

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
export const MemberPage = Type.Object({
  data: Type.Array(
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
  ),
  total: Type.Integer(),
  page: Type.Integer(),
  limit: Type.Integer(),
})

export const Message = Type.Object({ message: Type.String() })

export const presentMember = ({
  id,
  userId,
  organizationId,
  role,
  createdAt,
  updatedAt,
}: Membership | ListedMember) => ({
  id,
  userId,
  organizationId,
  role,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

export const presentListed = (listed: ListedMember) => ({
  ...presentMember(listed),
  email: listed.email,
  firstName: listed.firstName,
  lastName: listed.lastName,
  status: listed.status,
})
