/**
 * Organizations: the team, which is the tenant. Its name, slug, look, limits and state.
 *
 * Lives here: the team's own record. Not here: who is in it and with which role, and therefore the `/organizations` rows
 * (members); what it has registered (applications).
 * Tables: organizations. Errors: organization_not_found, slug_taken, team_suspended, limit_reached. Audit:
 * organization.created, organization.deleted (recorded by the rooms that compose them).
 */
export { ORGANIZATION_ERRORS, refusal as organizationRefusal } from './errors.js'
export { mayEnterTeam } from './may-enter-team.js'
export {
  createOrganization,
  deleteOrganization,
  findOrganization,
  type NewOrganization,
  type Organization,
  type TeamLimits,
} from './repository.js'
export { CreateTeam, presentTeam, Team } from './schema.js'
export { organizations } from './tables.js'
