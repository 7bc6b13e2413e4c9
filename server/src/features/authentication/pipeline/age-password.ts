import { isPasswordAged, passwordPolicyOf } from '../../policies/index.js'
import type { SignInStep } from './sign-in-step.js'

/**
 * A sign-in with a password that did not meet the team's policy when it was set, or is older than the team allows, leads to a session in
 * which a new one is due for requests to that team. No other sign-in method is limited by it.
 */
export const agePassword: SignInStep = async (tx, { clock }, signIn) => {
  const { amr, method, user, team, restrictedToTeam, passwordDueTeamIds = [] } = signIn
  // The age of a directory's password is the directory's concern.
  if (!team || !amr.includes('pwd') || method === 'directory' || passwordDueTeamIds.includes(team.id)) return signIn
  // After a factor, that of a team password is known from the first step alone.
  const setAt = signIn.passwordSetAt ?? (restrictedToTeam ? null : user.passwordSetAt)
  const isDue =
    (!restrictedToTeam && user.passwordDueTeamIds.includes(team.id)) ||
    isPasswordAged(await passwordPolicyOf(tx, team.id), setAt, clock)
  return isDue ? { ...signIn, passwordDueTeamIds: [...passwordDueTeamIds, team.id] } : signIn
}
