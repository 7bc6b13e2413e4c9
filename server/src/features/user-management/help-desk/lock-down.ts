import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { Actor } from '../../../platform/http/actor.js'
import type { TeamId, UserId } from '../../../platform/ids.js'
import { API_TOKENS, revokeTokensOf, SCIM_TOKENS } from '../../access-tokens/index.js'
import { updateMembership } from '../../members/index.js'
import { removeFactors } from '../../mfa/index.js'
import { removeTeamPassword } from '../../passwords/index.js'
import { endSessions, revokeTokensOfTeam } from '../../sessions/index.js'
import type { UserDeps } from '../deps.js'
import { notifyOwners } from '../notify-of-automation.js'
import { revokeInvitationsOf } from '../revoke-invitations-of.js'
import { cancelRunsStartedBy } from '../runs/cancel-runs.js'
import { lockTarget } from './reset-access.js'

/** The number of each kind of credential that a lock-down revoked in the team. */
export interface LockDownCounts {
  sessionsEnded: number
  grantsRevoked: number
  apiTokensRevoked: number
  scimTokensRevoked: number
  runsCancelled: number
  invitationsRevoked: number
  /** Without backup codes and pending enrollments. */
  factorsRemoved: number
  teamPasswordRemoved: boolean
}

const grantsOf = namedQuery<{ count: number }, [UserId, TeamId, Date]>(
  'users.grants_in_team',
  `SELECT count(*)::int AS count FROM sessions
   WHERE user_id = $1 AND kind = 'grant' AND ended_at IS NULL AND expires_at > $3 AND $2 IN (organization_id, confined_team_id)`,
)

/**
 * Revokes the credentials of a member whose account may be in the hands of a third party, in this team only: sessions, grants to its
 * applications, links, the team password, the factors that are restricted to the team, API and SCIM tokens, and the runs and pending
 * invitations that the member started. The own factors and the own password belong to the user; the password must be changed before it grants
 * access to this team again.
 * @throws user_not_found, role_protected, forbidden for the caller's own account
 */
export function lockDown(deps: UserDeps, actor: Actor, id: string): Promise<LockDownCounts> {
  const { db, clock, audit } = deps
  return db.transaction(async (tx) => {
    const { account, membership } = await lockTarget(tx, actor, id, 'access')
    const { teamId } = actor
    const now = clock.now()
    await revokeTokensOfTeam(tx, clock, account.id, teamId)
    const grants = await countGrants(tx, account.id, teamId, now)
    // Sessions and tokens first: what a request in one of them is storing is visible to the revocations below.
    const ofTeam = { team: teamId }
    const apiTokensRevoked = (await revokeTokensOf(tx, clock, API_TOKENS, account.id, ofTeam)).length
    const sessionsEnded = await endSessions(tx, clock, { user: account.id, ...ofTeam }, 'locked_down')
    await deps.endSamlSessions(tx, account.id, teamId)
    const scimTokensRevoked = (await revokeTokensOf(tx, clock, SCIM_TOKENS, account.id, ofTeam)).length
    const counts = {
      sessionsEnded,
      grantsRevoked: grants,
      apiTokensRevoked,
      scimTokensRevoked,
      runsCancelled: (await cancelRunsStartedBy(tx, deps, account.id, ofTeam)).length,
      invitationsRevoked: await revokeInvitationsOf(tx, deps, actor, account.id),
      factorsRemoved: (await removeFactors(tx, deps, account.id, teamId)).removed,
      teamPasswordRemoved: await removeTeamPassword(tx, clock, account.id, teamId),
    }
    await updateMembership(tx, membership, { tokensSince: now, passwordsValidFrom: now })
    await audit.record(tx, actor, 'user.locked_down', { resource: `user:${account.id}`, metadata: { ...counts } })
    const automation = Object.entries({ apiTokensRevoked, scimTokensRevoked }).filter(([, count]) => count > 0)
    if (automation.length > 0)
      await notifyOwners(tx, deps, { teamId, userId: account.id }, Object.fromEntries(automation))
    return counts
  })
}

const countGrants = async (tx: Transaction, userId: UserId, teamId: TeamId, now: Date): Promise<number> =>
  (await tx.run(grantsOf, [userId, teamId, now]))[0]?.count ?? 0
