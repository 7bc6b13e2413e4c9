import type { Clock } from '../../platform/clock.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { Context } from '../../protocols/policy/index.js'

/** What is known of somebody who signs in; what is not known is left out, and a condition that asks for it does not hold. */
export interface SignInFacts {
  origin: RequestOrigin
  country: string | undefined
  email: string
  /** As it is stored with the membership. */
  role: string
  /** How the first proof was made. */
  method: string
  knownDevice?: boolean | undefined
  riskScore?: number | undefined
}

/** The context in which policies decide about a sign-in. */
export const signInContext = (
  clock: Clock,
  { origin, country, email, role, method, knownDevice, riskScore }: SignInFacts,
): Context => ({
  timestamp: clock.now().toISOString(),
  ...(origin.ip !== null && { ipAddress: origin.ip }),
  ...(origin.userAgent !== null && { userAgent: origin.userAgent }),
  ...(country !== undefined && { geoLocation: country }),
  email,
  role,
  method,
  ...(knownDevice !== undefined && { knownDevice }),
  ...(riskScore !== undefined && { riskScore }),
})
