import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const MEMBER_ERRORS = {
  member_not_found: {
    status: 404,
    title: 'Member not found',
    explain: 'The team has no member with this membership ID or user ID.',
  },
  already_a_member: {
    status: 409,
    title: 'This user is already a member',
    explain: 'The email address belongs to a member of the team, active, pending or suspended.',
  },
  membership_confirmed: {
    status: 409,
    title: 'You are a member of this team',
    explain: 'Only a team that the user has not joined can be blocked. Leave the team first.',
  },
  invitation_not_found: {
    status: 404,
    title: 'Invitation not found',
    explain: 'The team has no invitation with this ID.',
  },
  invitation_closed: {
    status: 409,
    title: 'This invitation is no longer pending',
    explain: 'It was accepted or revoked. Send a new invitation.',
  },
  invitation_withdrawn: {
    status: 409,
    title: 'Your inviter no longer has permission to invite you',
    explain:
      'The inviter left the team or may no longer grant this role. Ask an administrator of the team to invite you again.',
  },
  external_id_taken: {
    status: 409,
    title: 'Another user of the team already has this external ID',
    explain:
      'An external ID identifies one user in the directory of the team. Another user has this one, or this user already has a different one.',
  },
  last_admin: {
    status: 409,
    title: 'A team must keep an owner or a super-admin',
    explain:
      'This would leave the team without an active owner or super-admin. Transfer the ownership or delete the team first.',
  },
  not_a_member: {
    status: 403,
    title: 'You are not a member of this team',
    explain:
      'You have no active membership in the team of `x-org-id` or `teamId`, or the team does not exist; the error is the same.',
  },
  user_not_managed: {
    status: 403,
    title: 'Your team cannot change this account',
    explain:
      'A team can change an email address only if it inserted the account, the address is unverified and no other team has a membership in it, or if it is the home team of both addresses. The profile that your team stores, the role and the membership can always be changed.',
  },
  user_not_found: {
    status: 404,
    title: 'User not found',
    explain: 'The team has no user with this ID.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(MEMBER_ERRORS)
