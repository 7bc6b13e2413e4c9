import Type from 'typebox'
import { PageQuery } from '../../platform/http/paging.js'
import { ROLES } from '../permissions/index.js'
import { INVITATION_STATUSES, type Invitation, statusOf } from './invitation-repository.js'
import type { ListedMember, Membership } from './repository.js'
import { WaitingTeamShown } from './waiting-team-schema.js'

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const oneOf = <const Names extends readonly string[]>(names: Names) =>
  Type.Unsafe<Names[number]>({ type: 'string', enum: names })
const timestamp = Type.String({ format: 'date-time' })

const RoleName = oneOf(ROLES)

export const InviteBody = Type.Object({
  email: Type.String({ maxLength: 320, description: 'Case and surrounding white space do not matter' }),
  role: RoleName,
})
export const RoleBody = Type.Object({ role: RoleName })
export const InvitationsQuery = Type.Object({ status: Type.Optional(oneOf(INVITATION_STATUSES)), ...PageQuery })

const member = {
  id: Type.String(),
  userId: Type.String(),
  organizationId: Type.String(),
  role: Type.String({ description: 'OWNER, one of the ten administrator roles, MEMBER or VIEWER' }),
  createdAt: timestamp,
  updatedAt: timestamp,
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

export const InvitationBody = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    role: Type.String(),
    status: Type.String({ description: 'PENDING, ACCEPTED, REVOKED or EXPIRED' }),
    organizationId: Type.String(),
    invitedBy: nullable(Type.String({ description: 'User id; null when that account is gone' })),
    expiresAt: timestamp,
    createdAt: timestamp,
  },
  { $id: 'Invitation' },
)
export const InvitationPage = Type.Object({
  data: Type.Array(InvitationBody),
  total: Type.Integer(),
  page: Type.Integer(),
  limit: Type.Integer(),
})

export const WaitingTeams = Type.Object({
  data: Type.Array(WaitingTeamShown, {
    description: 'Those with a verified domain first, then the newest; at most ten (a hundred blocked ones)',
  }),
})

export const Message = Type.Object({ message: Type.String() })

export const JoinablePage = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      slug: Type.String(),
      logoUrl: nullable(Type.String()),
      primaryColor: nullable(Type.String()),
    }),
  ),
  total: Type.Integer(),
  page: Type.Integer(),
  limit: Type.Integer(),
})

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

export const presentInvitation = (invitation: Invitation, now: Date) => ({
  id: invitation.id,
  email: invitation.email,
  role: invitation.role,
  status: statusOf(invitation, now),
  organizationId: invitation.organizationId,
  invitedBy: invitation.invitedBy,
  expiresAt: invitation.expiresAt.toISOString(),
  createdAt: invitation.createdAt.toISOString(),
})
