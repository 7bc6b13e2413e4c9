import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const MEMBER_ERRORS = {
  member_not_found: {
    status: 404,
    title: 'No such member',
    explain: 'Nobody in this team has this membership id or user id.',
  },
  already_a_member: {
    status: 409,
    title: 'This person is a member already',
    explain: 'The address belongs to a member of the team, whether active, waiting for the first sign-in or suspended.',
  },
  membership_confirmed: {
    status: 409,
    title: 'You have joined this team',
    explain: 'Only a team that the user has not joined can be blocked. Leave the team first.',
  },
  invitation_not_found: {
    status: 404,
    title: 'No such invitation',
    explain: 'The team has no invitation with this id.',
  },
  invitation_closed: {
    status: 409,
    title: 'This invitation does not wait any more',
    explain: 'It was accepted or taken back. Invite the address anew.',
  },
  invitation_withdrawn: {
    status: 409,
    title: 'Who invited you can no longer do so',
    explain:
      'Whoever sent the invitation has left the team or may no longer grant its role. Ask somebody who administers the team to send it once more.',
  },
  external_id_taken: {
    status: 409,
    title: 'This external id belongs to another user of the team',
    explain:
      "What the team's own directory calls a user names one of them. Another user of the team has this external id, or this user has another one already.",
  },
  last_admin: {
    status: 409,
    title: 'A team must keep an owner or a super-admin',
    explain:
      'This would leave the team without an active owner or super-admin. Hand the team over, or delete it, first.',
  },
  not_a_member: {
    status: 403,
    title: 'You are not a member of this team',
    explain:
      'You have no active membership in the team that `x-org-id` or `teamId` names, or there is no such team; the answer is the same.',
  },
  user_not_managed: {
    status: 403,
    title: 'Your team may not change this account',
    explain:
      'A team changes the email address only of an account that it inserted, while the address is unverified and no other team has a membership in it, or as the home team of both addresses. What your team shows of the user, their role and their membership you may change.',
  },
  user_not_found: {
    status: 404,
    title: 'No such user',
    explain: 'There is no such user in this team.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(MEMBER_ERRORS)
