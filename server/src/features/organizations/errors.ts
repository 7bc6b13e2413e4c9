import { type ErrorTable, refusals } from '../../platform/app-error.js'

export const ORGANIZATION_ERRORS = {
  organization_not_found: { status: 404, title: 'No such organization' },
  slug_taken: { status: 409, title: 'Another organization has this slug' },
  team_suspended: { status: 403, title: 'This team is suspended' },
  limit_reached: { status: 409, title: 'The limit of this team is reached' },
} as const satisfies ErrorTable

export const { refuse, refusal } = refusals(ORGANIZATION_ERRORS)
