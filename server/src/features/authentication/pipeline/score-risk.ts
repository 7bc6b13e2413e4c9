import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { TeamId } from '../../../platform/ids.js'
import { assessRisk, type Risk } from '../../../protocols/sign-in-risk/index.js'
import { accountKey, teamFailuresKey } from '../../credentials/index.js'
import { signInPlacesOf, teamSignInsOf, trustedDevice } from '../../sessions/index.js'
import type { User } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'
import type { SignInStep } from './sign-in-step.js'

/** What is known of the moment of a sign-in. */
export interface AssessedRisk {
  risk: Risk
  country: string | undefined
  deviceKnown: boolean
}

type ScoreDeps = Pick<AccountDeps, 'clock' | 'countries' | 'throttle'>

interface Timestamp {
  origin: RequestOrigin
  deviceToken: string | undefined
}

/**
 * Assesses how unusual a sign-in is, compared with earlier ones. Runs in the caller's transaction.
 * @param ofTeam the team that may learn it and nothing of the account beyond itself: then only earlier sign-ins to this team are compared.
 * null: those of the account
 */
export async function scoreTimeOfDay(
  tx: Transaction,
  deps: ScoreDeps,
  user: Pick<User, 'id' | 'email'>,
  timestamp: Timestamp,
  ofTeam: TeamId | null,
): Promise<AssessedRisk> {
  const { clock, countries } = deps
  const { origin } = timestamp
  const country = countries.countryOf(origin.ip)
  const earlier = ofTeam ? await inTeam(tx, deps, user, timestamp, ofTeam) : await inAccount(tx, deps, user, timestamp)
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
  { deviceToken }: Timestamp,
) {
  const deviceKnown = (await trustedDevice(tx, id, deviceToken)) !== undefined
  // Failures that no success has reset.
  const counters = [accountKey(email, undefined), ...(deviceToken ? [accountKey(email, tokenHash(deviceToken))] : [])]
  return { deviceKnown, places: await signInPlacesOf(tx, id), failures: await throttle.counted(tx, counters) }
}

async function inTeam(
  tx: Transaction,
  { throttle }: ScoreDeps,
  { id, email }: Pick<User, 'id' | 'email'>,
  { deviceToken }: Timestamp,
  teamId: TeamId,
) {
  const signIns = await teamSignInsOf(tx, { userId: id, teamId }, deviceToken)
  return { ...signIns, failures: await throttle.counted(tx, [teamFailuresKey(email, teamId)]) }
}

/**
 * Assesses how unusual the sign-in is. It rejects nothing: later steps decide. The team logs the result, so for a restricted sign-in and for
 * an unconfirmed membership nothing feeds into it that happened elsewhere.
 */
export const scoreRisk: SignInStep = async (tx, deps, signIn) => {
  const { user, request, team, restrictedToTeam } = signIn
  const ofTeam = restrictedToTeam ?? (team && !team.confirmed ? team.id : null)
  return { ...signIn, ofTeam, ...(await scoreTimeOfDay(tx, deps, user, request, ofTeam)) }
}
