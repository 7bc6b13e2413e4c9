/**
 * Organizations: the team, which is the tenant. Its name, slug, look, limits and state.
 *
 * Lives here: the team's own record. Not here: who is in it and with which role, and therefore the `/organizations` rows
 * (members); what it has registered (applications).
 * Tables: organizations, released_slugs, team_domains (written by sso, which verifies them). Errors: organization_not_found, slug_taken, slug_reserved, team_suspended, limit_reached, instance_team. Audit:
 * organization.created, .updated, .suspended, .reactivated, .deleted (recorded by the rooms that compose them).
 */
export { bumpPolicyVersion } from './bump-policy-version.js'
export { ORGANIZATION_ERRORS, rejection as teamError } from './errors.js'
export { homeTeamOf, isHomeTeam } from './home-team.js'
export { mayEnterTeam } from './may-enter-team.js'
export { organizationNames } from './organization-names.js'
export { rejectWhileSuspended } from './reject-while-suspended.js'
export {
  createOrganization,
  deleteOrganization,
  findOrganization,
  forgetCreator,
  lockOrganization,
  mergeSettings,
  type NewOrganization,
  type Organization,
  type OrganizationChange,
  type TeamLimits,
  updateOrganization,
} from './repository.js'
export {
  CreateTeam,
  type LogoStatus,
  presentTeam,
  presentTeamWithSettings,
  Team,
  TeamWithSettings,
  UpdateSettings,
  UpdateTeam,
} from './schema.js'
export { organizations, teamDomains } from './tables.js'
export { teamNameFrom } from './team-name.js'
export { teamNamed } from './team-named.js'
export { turnsKey, turnsOf } from './turns-of.js'
