import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Transaction } from '../../platform/db/database.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import { assessRisk, type Risk } from '../../protocols/sign-in-risk/index.js'
import { accountKey } from '../credentials/index.js'
import type { User } from '../identities/index.js'
import { signInPlacesOf, trustedDevice } from '../sessions/index.js'
import type { AccountDeps } from './deps.js'
import type { SignInStep } from './sign-in-step.js'

/** What is known of the moment of a sign-in. */
export interface WeighedMoment {
  risk: Risk
  country: string | undefined
  deviceKnown: boolean
}

/** A step: how unusual a sign-in of the person looks beside those before. */
export async function weighMoment(
  tx: Transaction,
  { clock, countries, throttle }: Pick<AccountDeps, 'clock' | 'countries' | 'throttle'>,
  { id, email }: Pick<User, 'id' | 'email'>,
  { origin, deviceToken }: { origin: RequestOrigin; deviceToken: string | undefined },
): Promise<WeighedMoment> {
  const country = countries.countryOf(origin.ip)
  const deviceKnown = (await trustedDevice(tx, id, deviceToken)) !== undefined
  const places = await signInPlacesOf(tx, id)
  // Failures that no success has forgotten yet.
  const counters = [accountKey(email, undefined), ...(deviceToken ? [accountKey(email, tokenHash(deviceToken))] : [])]
  const failures = await throttle.counted(tx, counters)
  const risk = assessRisk(
    { ip: origin.ip, country, deviceKnown, failures, at: clock.now() },
    places.map((place) => ({ ...place, country: countries.countryOf(place.ip) })),
  )
  return { risk, country, deviceKnown }
}

/** Says how unusual the sign-in looks. It refuses nobody: what to do about it, later steps decide. */
export const weighRisk: SignInStep = async (tx, deps, signIn) => ({
  ...signIn,
  ...(await weighMoment(tx, deps, signIn.user, signIn.request)),
})
