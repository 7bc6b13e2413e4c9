import type { ChallengeMethod, Cleaned, OtherTeams, SessionAnswer } from '../../../api/contract'
import type { Problem } from '../../../api/problem'

/** A sign-in that requires two-step verification. */
export interface Challenge {
  token: string
  methods: ChallengeMethod[]
  /** milliseconds since 1970, by the local clock */
  endsAt: number
  /** the email address, if the user entered it for this sign-in */
  email: string | undefined
  /** removed by the sign-in from an account that another person had registered */
  cleaned: Cleaned | undefined
  /** the teams in which the sign-in can continue instead */
  otherTeams: OtherTeams | undefined
  wrongTries: number
}

/** Why a sign-in ended at two-step verification: it expired, or the service rejected it. */
export type WhyOver = 'late' | 'tries' | 'over' | Problem

/** The lifetime of a challenge. Measured from its arrival, because the local clock may be wrong. */
const lifeMs = 5 * 60_000

/** The service ends a challenge after this number of wrong answers. */
export const mostTries = 5

// In memory only: a reload restarts the sign-in.
let current: Challenge | null = null
let whyOver: WhyOver | null = null

export const challenge = () => current

/** Stores the challenge of a response without a session. */
export function openChallenge(
  { mfaToken = '', mfaMethods = [], mfaOtherTeams, cleaned }: SessionAnswer,
  email?: string,
): Challenge {
  const endsAt = Date.now() + lifeMs
  current = { token: mfaToken, methods: mfaMethods, endsAt, email, cleaned, otherTeams: mfaOtherTeams, wrongTries: 0 }
  return current
}

/** @param why shown by the sign-in page; null after a successful sign-in */
export function endChallenge(why: WhyOver | null = null) {
  current = null
  whyOver = why
}

/** Returns once why the previous sign-in ended. */
export function takeWhyOver(): WhyOver | null {
  const why = whyOver
  whyOver = null
  return why
}
