/**
 * Members: who belongs to which team, with which role, and what the team writes about them.
 *
 * Lives here: memberships, and the `/organizations` rows, which need both the team and its members. Not here: the person
 * (identities), groups within a team (groups), signing in to a team (accounts).
 * Tables: memberships. Errors: not_a_member, last_admin. Audit: organization.created, member.added.
 */

export { MEMBER_ERRORS, refusal as memberRefusal } from './errors.js'
export {
  addMember,
  belongsSomewhere,
  countsElsewhere,
  isLastAdminSomewhere,
  noteTeamUse,
  type OpenTeam,
  openTeamsOf,
  teamsOnlyOf,
} from './repository.js'
export { memberRoutes } from './routes.js'
export { memberships } from './tables.js'
