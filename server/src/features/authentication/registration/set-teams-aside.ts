import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { TeamId, UserId } from '../../../platform/ids.js'
import { hasOtherAdmin, revokePending, setAsideShared } from '../../members/index.js'
import { forgetCreator, lockOrganization, updateOrganization } from '../../teams/index.js'
import type { AccountDeps } from '../deps.js'

/**
 * Sets aside the teams of an account that its owner verifies for the first time: in which a third party may have left anything, the
 * membership becomes unconfirmed. Where no other owner or super-admin answers for the team, everything there that a third party may hold a
 * secret of ends as well, so that the owner can keep the team. A team with another one is theirs, and the owner joins it like any other. In none of them is the
 * account the creator any more: another person may have created the team with it. Runs in the caller's transaction, which has locked the account.
 * @returns the teams that were set aside
 */
export async function setTeamsAside(
  tx: Transaction,
  deps: AccountDeps,
  userId: UserId,
  origin: RequestOrigin,
): Promise<TeamId[]> {
  const teams = (await setAsideShared(tx, userId)).sort()
  for (const teamId of teams) {
    await lockOrganization(tx, teamId)
    await forgetCreator(tx, teamId)
    if (!(await hasOtherAdmin(tx, teamId, userId))) await endSecrets(tx, deps, teamId, { userId, origin })
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
