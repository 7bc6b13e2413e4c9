import { centerOf } from './country-centers.js'
import { distanceKm } from './distance.js'
import { networkOf } from './network.js'
import { RISK_REASONS, type RiskReason } from './risk-reasons.js'

/** The known attributes of a sign-in. */
export interface SignInFacts {
  ip: string | null
  /** ISO 3166-1 alpha-2, in upper case; undefined if it is unknown. */
  country: string | null | undefined
  /** Whether the account has already signed in with this browser. */
  deviceKnown: boolean
  /** Recent failed attempts of the account. */
  failures: number
  at: Date
}

/** An earlier successful sign-in of the account. */
export interface PastSignIn {
  ip: string | null
  country: string | null | undefined
  lastSeenAt: Date
}

export interface Risk {
  /** 0 (nothing unusual) to 100: the sum of the weights of the reasons. */
  score: number
  /** In the order of `RISK_REASONS`. */
  reasons: RiskReason[]
}

const MANY_FAILURES = 3
/** The speed of airliners. */
const KM_PER_HOUR = 1_000
const HOUR_MS = 3_600_000

/** Scores how unusual a sign-in is compared with the earlier ones of its account, in any order. */
export function assessRisk(now: SignInFacts, past: readonly PastSignIn[]): Risk {
  const applies: Record<RiskReason, boolean> = {
    new_device: !now.deviceKnown,
    new_network: isNewNetwork(now, past),
    new_country: isNewCountry(now, past),
    impossible_travel: isImpossibleTravel(now, past),
    recent_failures: now.failures >= MANY_FAILURES,
  }
  const reasons = (Object.keys(RISK_REASONS) as RiskReason[]).filter((reason) => applies[reason])
  return { score: reasons.reduce((sum, reason) => sum + RISK_REASONS[reason].weight, 0), reasons }
}

/** An unknown address counts as a new network. */
function isNewNetwork({ ip }: SignInFacts, past: readonly PastSignIn[]): boolean {
  const network = networkOf(ip)
  return network === undefined || !past.some((earlier) => networkOf(earlier.ip) === network)
}

function isNewCountry({ country }: SignInFacts, past: readonly PastSignIn[]): boolean {
  const known = past.flatMap((earlier) => earlier.country ?? [])
  return country != null && known.length > 0 && !known.includes(country)
}

/** Compares with the latest sign-in from another country; with any of them if several have the same timestamp. */
function isImpossibleTravel({ country, at }: SignInFacts, past: readonly PastSignIn[]): boolean {
  const here = country == null ? undefined : centerOf(country)
  if (!here) return false
  const elsewhere = past.flatMap((earlier) => {
    const there = earlier.country == null || earlier.country === country ? undefined : centerOf(earlier.country)
    return there ? [{ there, seen: earlier.lastSeenAt.getTime() }] : []
  })
  const last = Math.max(...elsewhere.map(({ seen }) => seen))
  // The clocks of nodes differ slightly.
  const hours = Math.max(0, at.getTime() - last) / HOUR_MS
  return elsewhere.some(({ there, seen }) => seen === last && distanceKm(there, here) / KM_PER_HOUR > hours)
}
