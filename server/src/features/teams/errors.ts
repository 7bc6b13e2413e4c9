import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const ORGANIZATION_ERRORS = {
  organization_not_found: {
    status: 404,
    title: 'Team not found',
    explain: 'The team does not exist, or you are not a member; the error is the same.',
  },
  slug_taken: {
    status: 409,
    title: 'Another team has this slug',
    explain:
      'Another team has the slug, or released it less than twelve months ago. Choose another slug, or leave it out to get one from the name.',
  },
  slug_reserved: {
    status: 409,
    title: 'This slug is reserved',
    explain:
      'The product uses the slug in its URLs, or it could be mistaken for a part of the product. Choose another slug, or leave it out to get one from the name.',
  },
  instance_team: {
    status: 409,
    title: 'This team administers the instance',
    explain:
      'The team that the onboarding created cannot be deleted: without it no user could administer the instance.',
  },
  team_suspended: {
    status: 403,
    title: 'This team is suspended',
    explain: 'Only owners and super-admins can sign in to a suspended team, to reactivate it.',
  },
  limit_reached: {
    status: 409,
    title: 'The limit of this team is reached',
    explain:
      'The team has reached its limit of members, applications or policies, or an application its limit of scopes, claims, rules or keys; `detail` contains the number and the limit.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(ORGANIZATION_ERRORS)
