import type { ChallengeMethod, Cleaned, OtherTeams, SessionAnswer } from '../../api/contract'
import type { Problem } from '../../api/problem'

/** A sign-in that waits for its second factor. */
export interface Challenge {
  token: string
  methods: ChallengeMethod[]
  /** milliseconds since 1970, by the clock of this computer */
  endsAt: number
  /** what the sign-in removed from an account that somebody else had registered */
  cleaned: Cleaned | undefined
  /** the teams in which the sign-in may continue instead */
  otherTeams: OtherTeams | undefined
  wrongTries: number
}

/** Why a sign-in came to nothing at its second factor: the service keeps it no longer, or has refused it. */
export type WhyOver = 'late' | 'tries' | 'over' | Problem

/** As long as the service keeps one. Counted here: what the computer's clock shows may be wrong. */
const lifeMs = 5 * 60_000

/** After so many wrong answers the service ends it. */
export const mostTries = 5

// In memory only: a reload of the page begins the sign-in anew.
let current: Challenge | null = null
let whyOver: WhyOver | null = null

export const challenge = () => current

/** Keeps what the service answered in place of a session. */
export function openChallenge({ mfaToken = '', mfaMethods = [], mfaOtherTeams, cleaned }: SessionAnswer): Challenge {
  const endsAt = Date.now() + lifeMs
  current = { token: mfaToken, methods: mfaMethods, endsAt, cleaned, otherTeams: mfaOtherTeams, wrongTries: 0 }
  return current
}

/** @param why for the sign-in page, where it did not end by an answer */
export function endChallenge(why: WhyOver | null = null) {
  current = null
  whyOver = why
}

/** Why the sign-in before this one came to nothing. Said once. */
export function takeWhyOver(): WhyOver | null {
  const why = whyOver
  whyOver = null
  return why
}
