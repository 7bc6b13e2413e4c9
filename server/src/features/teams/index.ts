/**
 * Teams: the tenant (`organizations` in URLs and tables), with its name, slug, branding, limits and status.
 *
 * In this module: the team's own record and its email domains. Not here: its members, and therefore the `/organizations` endpoints (members); the
 * verification of the domains (sso); its applications (applications).
 * Tables: organizations, released_slugs, team_domains. Errors: organization_not_found, slug_taken,
 * slug_reserved, team_suspended, limit_reached, instance_team. Audit: organization.created, .updated, .suspended,
 * .reactivated, .deleted (recorded by the modules that compose them).
 */
import type { Clock } from '../../platform/clock.js'
import type { Database } from '../../platform/db/database.js'
import { purgeJob } from '../../platform/jobs/purge-job.js'
import type { Module } from '../../platform/module.js'
import { ORGANIZATION_ERRORS } from './errors.js'
import { organizationNames } from './repository.js'
import { TEAM_RETENTION } from './slug.js'

export { rejection as teamError } from './errors.js'
export { homeTeamOf, isHomeTeam } from './home-team.js'
export { queueKey, queueKeyOf } from './queue-key.js'
export {
  bumpPolicyVersion,
  createOrganization,
  deleteOrganization,
  findOrganization,
  forgetCreator,
  keepOrganization,
  lockOrganization,
  mergeSettings,
  type NewOrganization,
  type Organization,
  type OrganizationChange,
  type TeamLimits,
  teamNamed,
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
export { TEAM_RETENTION } from './slug.js'
export { mayEnterTeam, rejectWhileSuspended } from './suspension.js'
export { organizations, teamColumn } from './tables.js'
export {
  deleteDomains,
  domainRepository,
  provenElsewhere,
  scheduleDueDomains,
  type TeamDomain,
} from './team-domains.js'
export { teamNameFrom } from './team-name.js'

/** Its routes are those of `members`. */
export const createTeams = (deps: { db: Database; clock: Clock }): Module => ({
  jobs: [purgeJob(deps, 'teams.purge', TEAM_RETENTION)],
  errors: ORGANIZATION_ERRORS,
  labels: { organization: organizationNames },
})
