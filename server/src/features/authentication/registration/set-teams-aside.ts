import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { TeamId, UserId } from '../../../platform/ids.js'
import { hasAdmin, revokePending, unconfirmSharedTeams } from '../../members/index.js'
import { forgetCreator, lockOrganization, updateOrganization } from '../../teams/index.js'
import type { AccountDeps } from '../deps.js'

/**
 * Sets aside the teams of an account that its owner verifies for the first time: memberships in teams in which a third party may have left
 * anything become unconfirmed. If the team has no other owner or super-admin, the secrets that a third party may hold are revoked too, so
 * that the user can keep the team. The account is no longer recorded as the creator of these teams, because another person may have created
 * them with it. Runs in the caller's transaction, which has locked the account.
 * @returns the teams that were set aside
 */
export async function setTeamsAside(
  tx: Transaction,
  deps: AccountDeps,
  userId: UserId,
  origin: RequestOrigin,
): Promise<TeamId[]> {
  const teams = (await unconfirmSharedTeams(tx, userId)).sort()
  for (const teamId of teams) {
    await lockOrganization(tx, teamId)
    await forgetCreator(tx, teamId)
    if (!(await hasAdmin(tx, teamId, userId))) await endSecrets(tx, deps, teamId, { userId, origin })
  }
  return teams
}

async function endSecrets(
  tx: Transaction,
  { clock, audit, endSecretsOfTeam }: AccountDeps,
  teamId: TeamId,
  by: { userId: UserId; origin: RequestOrigin },
): Promise<void> {
  const ended = await endSecretsOfTeam(tx, teamId)
  const invitationsRevoked = (await revokePending(tx, clock, { team: teamId })).length
  await updateOrganization(tx, clock, teamId, { allowedDomains: [] })
  await audit.record(tx, { ...by, teamId }, 'organization.secrets_ended', {
    resource: `organization:${teamId}`,
    metadata: { ...ended, invitationsRevoked },
  })
}
