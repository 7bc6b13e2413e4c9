import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { TeamId } from '../../../platform/ids.js'
import { assessRisk, type Risk } from '../../../protocols/sign-in-risk/index.js'
import { accountKey, teamFailuresKey } from '../../passwords/index.js'
import { signInPlacesOf, teamSignInsOf, trustedDevice } from '../../sessions/index.js'
import type { User } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'
import type { SignInStep } from './sign-in-step.js'

export interface AssessedRisk {
  risk: Risk
  country: string | undefined
  deviceKnown: boolean
}

type ScoreDeps = Pick<AccountDeps, 'clock' | 'countries' | 'throttle'>

interface SignInContext {
  origin: RequestOrigin
  deviceToken: string | undefined
}

/**
 * Scores a sign-in by comparison with earlier ones. Runs in the caller's transaction.
 * @param ofTeam the team that learns the score and must not learn anything else of the account: only earlier sign-ins to this team are
 *   compared; null: those of the account
 */
export async function assessSignInRisk(
  tx: Transaction,
  deps: ScoreDeps,
  user: Pick<User, 'id' | 'email'>,
  context: SignInContext,
  ofTeam: TeamId | null,
): Promise<AssessedRisk> {
  const { clock, countries } = deps
  const { origin } = context
  const country = countries.countryOf(origin.ip)
  const earlier = ofTeam ? await inTeam(tx, deps, user, context, ofTeam) : await inAccount(tx, deps, user, context)
  const { deviceKnown, failures, places } = earlier
  const risk = assessRisk(
    { ip: origin.ip, country, deviceKnown, failures, at: clock.now() },
    places.map((place) => ({ ...place, country: countries.countryOf(place.ip) })),
  )
  return { risk, country, deviceKnown }
}

async function inAccount(
  tx: Transaction,
  { throttle }: ScoreDeps,
  { id, email }: Pick<User, 'id' | 'email'>,
  { deviceToken }: SignInContext,
) {
  const deviceKnown = (await trustedDevice(tx, id, deviceToken)) !== undefined
  // Failures since the last success.
  const counters = [accountKey(email, undefined), ...(deviceToken ? [accountKey(email, tokenHash(deviceToken))] : [])]
  return { deviceKnown, places: await signInPlacesOf(tx, id), failures: await throttle.counted(tx, counters) }
}

async function inTeam(
  tx: Transaction,
  { throttle }: ScoreDeps,
  { id, email }: Pick<User, 'id' | 'email'>,
  { deviceToken }: SignInContext,
  teamId: TeamId,
) {
  const signIns = await teamSignInsOf(tx, { userId: id, teamId }, deviceToken)
  return { ...signIns, failures: await throttle.counted(tx, [teamFailuresKey(email, teamId)]) }
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
