import { type ErrorTable, refusals } from '../../platform/app-error.js'

export const MEMBER_ERRORS = {
  last_admin: {
    status: 409,
    title: 'A team must keep an owner or a super-admin',
    explain:
      'This would leave a team that has other members without anybody who may administer it. Hand the team over, or delete it, first.',
  },
  not_a_member: {
    status: 403,
    title: 'You are not a member of this team',
    explain:
      'You have no active membership in the team that `x-org-id` or `teamId` names, or there is no such team; the answer is the same.',
  },
} as const satisfies ErrorTable

export const refusal = refusals(MEMBER_ERRORS)
