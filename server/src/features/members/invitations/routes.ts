import Type from 'typebox'
import { pageOf } from '../../../platform/http/paging.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { Message } from '../../../platform/http/schema-parts.js'
import type { MemberDeps } from '../deps.js'
import { TEAM, TEAM_ERRORS } from '../schema.js'
import { inviteMember, listInvitations, resendInvitation, revokeInvitation } from './manage-invitations.js'
import {
  INVITATION_DAYS,
  InvitationBody,
  InvitationPage,
  InvitationsQuery,
  InviteBody,
  presentInvitation,
} from './schema.js'

const tag = 'Members and invitations'
const ONE = `${TEAM}/invitations/:id`
const params = Type.Object({ orgId: Type.String(), id: Type.String() })
const ofTeam = { tag, teamInPath: true } as const
const ADDRESS_ERRORS = ['role_protected', 'already_a_member', 'limit_reached'] as const

/** The administration of invitations; viewing and accepting one belong to `authentication`. */
export const invitationRoutes = (deps: MemberDeps): Route[] => [
  defineRoute({
    ...ofTeam,
    method: 'POST',
    path: `${TEAM}/members/invite`,
    permission: 'members:write',
    summary: 'Invite a user by email',
    description: `The link works once, for ${INVITATION_DAYS} days. A second invitation of an address replaces the pending one. A team can send five invitations per day to one address; beyond that the response is 429 and nothing changes.`,
    params: Type.Object({ orgId: Type.String() }),
    body: InviteBody,
    responses: { 201: InvitationBody },
    errors: [...ADDRESS_ERRORS, ...TEAM_ERRORS],
    handle: async ({ actor, body }) => presentInvitation(await inviteMember(deps, actor, body), deps.clock.now()),
  }),
  defineRoute({
    ...ofTeam,
    method: 'GET',
    path: `${TEAM}/invitations`,
    permission: 'members:read',
    summary: "List the team's invitations, newest first",
    params: Type.Object({ orgId: Type.String() }),
    query: InvitationsQuery,
    responses: { 200: InvitationPage },
    errors: TEAM_ERRORS,
    handle: async ({ actor, query }) => {
      const page = pageOf(query)
      const { rows, total } = await listInvitations(deps, actor, query.status, page)
      return { data: rows.map((row) => presentInvitation(row, deps.clock.now())), total, ...page }
    },
  }),
  defineRoute({
    ...ofTeam,
    method: 'POST',
    path: `${ONE}/resend`,
    permission: 'members:write',
    summary: `Resend an invitation with a new link, valid for ${INVITATION_DAYS} more days`,
    description:
      'Earlier links stay valid, up to five. The caller becomes the inviter: the invitation depends on their permissions from now on. A team can send five invitations per day to one address; beyond that the response is 429 and nothing changes.',
    params,
    responses: { 200: InvitationBody },
    errors: ['invitation_not_found', 'invitation_closed', ...ADDRESS_ERRORS, ...TEAM_ERRORS],
    handle: async ({ actor, params }) =>
      presentInvitation(await resendInvitation(deps, actor, params.id), deps.clock.now()),
  }),
  defineRoute({
    ...ofTeam,
    method: 'DELETE',
    path: ONE,
    permission: 'members:write',
    summary: 'Revoke an invitation and its links',
    params,
    responses: { 200: Message },
    errors: ['invitation_not_found', 'invitation_closed', ...TEAM_ERRORS],
    handle: async ({ actor, params }) => {
      await revokeInvitation(deps, actor, params.id)
      return { message: 'The invitation was revoked' }
    },
  }),
]
