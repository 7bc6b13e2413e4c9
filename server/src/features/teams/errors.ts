import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const ORGANIZATION_ERRORS = {
  organization_not_found: {
    status: 404,
    title: 'No such organization',
    explain: 'There is no such team, or you are not in it; the answer is the same.',
  },
  slug_taken: {
    status: 409,
    title: 'Another organization has this slug',
    explain:
      'Another team has the slug, or gave it up less than twelve months ago. Choose another slug, or leave it out: then a free one is made from the name.',
  },
  slug_reserved: {
    status: 409,
    title: 'This slug is reserved',
    explain:
      'The product uses the slug in its own addresses, or it would be taken for a name of the product. Choose another slug, or leave it out: then a free one is made from the name.',
  },
  instance_team: {
    status: 409,
    title: 'This team administers the instance',
    explain: 'The team that the onboarding made is never deleted: without it nobody could administer the instance.',
  },
  team_suspended: {
    status: 403,
    title: 'This team is suspended',
    explain: 'The team is suspended. Its owners and super-admins may still sign in, to reactivate it.',
  },
  limit_reached: {
    status: 409,
    title: 'The limit of this team is reached',
    explain:
      'The team has no seat left, or as many applications or policies as it may have, or an application as many scopes, claims, rules or keys; `detail` names the number and the limit.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(ORGANIZATION_ERRORS)
