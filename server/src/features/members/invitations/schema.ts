import Type from 'typebox'
import { DAY } from '../../../platform/clock.js'
import { PageQuery } from '../../../platform/http/paging.js'
import { nullable, oneOf, pageSchema, timestamp } from '../../../platform/http/schema-parts.js'
import { RoleName } from '../schema.js'
import { INVITATION_LIFETIME, INVITATION_STATUSES, type Invitation, statusOf } from './repository.js'

export const INVITATION_DAYS = INVITATION_LIFETIME / DAY

export const InviteBody = Type.Object({
  email: Type.String({ maxLength: 320, description: 'Case and surrounding white space do not matter' }),
  role: RoleName,
})
export const InvitationsQuery = Type.Object({ status: Type.Optional(oneOf(...INVITATION_STATUSES)), ...PageQuery })

export const InvitationBody = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    role: Type.String(),
    status: Type.String({ description: 'PENDING, ACCEPTED, REVOKED or EXPIRED' }),
    organizationId: Type.String(),
    invitedBy: nullable(Type.String({ description: 'User ID; null if the account was deleted' })),
    expiresAt: timestamp(),
    createdAt: timestamp(),
  },
  { $id: 'Invitation' },
)
export const InvitationPage = pageSchema(InvitationBody)

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
