import { centreOf } from './country-centres.js'
import { distanceKm } from './distance.js'
import { networkOf } from './network.js'
import { RISK_REASONS, type RiskReason } from './risk-reasons.js'

/** What is known of a sign-in while it is judged. */
export interface SignInFacts {
  ip: string | null
  /** ISO 3166-1 alpha-2, in upper case; undefined where it is not known. */
  country: string | null | undefined
  /** Whether the account has signed in with this browser before. */
  deviceKnown: boolean
  /** Attempts of the account that failed lately. */
  failures: number
  at: Date
}

/** An earlier sign-in of the account that succeeded. */
export interface PastSignIn {
  ip: string | null
  country: string | null | undefined
  lastSeenAt: Date
}

export interface Risk {
  /** 0 (nothing unusual) to 100: the sum of the weights of the reasons. */
  score: number
  /** In the order of the table. */
  reasons: RiskReason[]
}

const MANY_FAILURES = 3
/** As fast as airliners fly. */
const KM_PER_HOUR = 1_000
const HOUR_MS = 3_600_000

/** How unusual a sign-in is beside the earlier ones of its account, in whatever order these come. */
export function assessRisk(now: SignInFacts, past: readonly PastSignIn[]): Risk {
  const holds: Record<RiskReason, boolean> = {
    new_device: !now.deviceKnown,
    new_network: isNewNetwork(now, past),
    new_country: isNewCountry(now, past),
    impossible_travel: isImpossibleTravel(now, past),
    recent_failures: now.failures >= MANY_FAILURES,
  }
  const reasons = (Object.keys(RISK_REASONS) as RiskReason[]).filter((reason) => holds[reason])
  return { score: reasons.reduce((sum, reason) => sum + RISK_REASONS[reason].weight, 0), reasons }
}

/** An address that is not known is in no network that was seen. */
function isNewNetwork({ ip }: SignInFacts, past: readonly PastSignIn[]): boolean {
  const network = networkOf(ip)
  return network === undefined || !past.some((earlier) => networkOf(earlier.ip) === network)
}

function isNewCountry({ country }: SignInFacts, past: readonly PastSignIn[]): boolean {
  const known = past.flatMap((earlier) => earlier.country ?? [])
  return country != null && known.length > 0 && !known.includes(country)
}

/** From where the account was last seen elsewhere; where that is several places at one moment, from any of them. */
function isImpossibleTravel({ country, at }: SignInFacts, past: readonly PastSignIn[]): boolean {
  const here = country == null ? undefined : centreOf(country)
  if (!here) return false
  const elsewhere = past.flatMap((earlier) => {
    const there = earlier.country == null || earlier.country === country ? undefined : centreOf(earlier.country)
    return there ? [{ there, seen: earlier.lastSeenAt.getTime() }] : []
  })
  const last = Math.max(...elsewhere.map(({ seen }) => seen))
  // Clocks of nodes differ by a little, never a sign-in in the future by much.
  const hours = Math.max(0, at.getTime() - last) / HOUR_MS
  return elsewhere.some(({ there, seen }) => seen === last && distanceKm(there, here) / KM_PER_HOUR > hours)
}
