import type { Clock } from '../../platform/clock.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { Context } from '../../protocols/policy/index.js'

/** The known attributes of a sign-in. Unknown ones are left out; a condition on them does not match. */
export interface SignInFacts {
  origin: RequestOrigin
  country: string | undefined
  email: string
  /** The stored role of the membership. */
  role: string
  /** The sign-in method. */
  method: string
  knownDevice?: boolean | undefined
  riskScore?: number | undefined
}

/** Returns the context in which policies decide a sign-in. */
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
