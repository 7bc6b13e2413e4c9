import type { Clock } from '../../platform/clock.js'
import type { Database } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import { teamLimitOf } from '../permissions/index.js'
import { findOrganization, type Organization } from '../teams/index.js'
import { type Invitation, type InvitationStatus, pageOfInvitations } from './invitations/repository.js'
import { type ListedMember, pageOfMembers, teamsOf } from './repository.js'

interface QueryDeps {
  db: Database
}
type Page = { limit: number; page: number }

/** Returns the caller's teams with the role in each; for a restricted session, its team only. */
export const listTeams = ({ db }: QueryDeps, actor: Actor): Promise<{ team: Organization; role: string }[]> =>
  db.transaction((tx) => teamsOf(tx, actor.userId, teamLimitOf(actor)))

/** Returns the team of the request. @throws organization_not_found */
export const readTeam = ({ db }: QueryDeps, actor: Actor): Promise<Organization> =>
  db.transaction((tx) => findOrganization(tx, actor.teamId))

/** Returns one page of the team's members, newest first. */
export const listMembers = (
  { db }: QueryDeps,
  actor: Actor,
  page: Page,
): Promise<{ rows: ListedMember[]; total: number }> => db.transaction((tx) => pageOfMembers(tx, actor.teamId, page))

/** Returns one page of the team's invitations, newest first, optionally filtered by status. */
export const listInvitations = (
  { db, clock }: QueryDeps & { clock: Clock },
  actor: Actor,
  status: InvitationStatus | undefined,
  page: Page,
): Promise<{ rows: Invitation[]; total: number }> =>
  db.transaction((tx) => pageOfInvitations(tx, actor.teamId, status, clock.now(), page))
