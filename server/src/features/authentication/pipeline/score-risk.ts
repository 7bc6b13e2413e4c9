import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { TeamId } from '../../../platform/ids.js'
import { assessRisk, type Risk } from '../../../protocols/sign-in-risk/index.js'
import { accountKey, teamFailuresKey } from '../../passwords/index.js'
import { signInPlacesOf, teamSignInsOf, trustedDevice } from '../../sessions/index.js'
import type { User } from '../../users/index.js'
import type { AccountDeps, SignInRequest } from '../deps.js'
import type { SignInStep } from './sign-in-step.js'

/**
 * Scores a sign-in by comparison with earlier ones. Runs in the caller's transaction.
 * @param ofTeam the team that learns the score and must not learn anything else of the account: only earlier sign-ins to this team are
 *   compared; null: those of the account
 */
export async function assessSignInRisk(
  tx: Transaction,
  { clock, countries, throttle }: Pick<AccountDeps, 'clock' | 'countries' | 'throttle'>,
  { id: userId, email }: Pick<User, 'id' | 'email'>,
  { origin: { ip }, deviceToken }: Pick<SignInRequest, 'origin' | 'deviceToken'>,
  ofTeam: TeamId | null,
): Promise<{ risk: Risk; country: string | undefined; deviceKnown: boolean }> {
  const { deviceKnown, places } = ofTeam
    ? await teamSignInsOf(tx, { userId, teamId: ofTeam }, deviceToken)
    : {
        deviceKnown: (await trustedDevice(tx, userId, deviceToken)) !== undefined,
        places: await signInPlacesOf(tx, userId),
      }
  const counters = ofTeam
    ? [teamFailuresKey(email, ofTeam)]
    : [accountKey(email, undefined), ...(deviceToken ? [accountKey(email, tokenHash(deviceToken))] : [])]
  // Failures since the last success.
  const failures = await throttle.counted(tx, counters)
  const country = countries.countryOf(ip)
  const risk = assessRisk(
    { ip, country, deviceKnown, failures, at: clock.now() },
    places.map((place) => ({ ...place, country: countries.countryOf(place.ip) })),
  )
  return { risk, country, deviceKnown }
}

/**
 * Scores the risk of the sign-in for later steps; rejects nothing. The team logs the score, so for a restricted sign-in and an unconfirmed
 * membership it depends only on sign-ins to the team.
 */
export const scoreRisk: SignInStep = async (tx, deps, signIn) => {
  const { user, request, team, restrictedToTeam } = signIn
  const ofTeam = restrictedToTeam ?? (team && !team.confirmed ? team.id : null)
  return { ...signIn, ofTeam, ...(await assessSignInRisk(tx, deps, user, request, ofTeam)) }
}
