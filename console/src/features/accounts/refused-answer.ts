import { asProblem } from '../../api/problem'
import { type Challenge, mostTries, type WhyOver } from './challenge'

/**
 * What a refused answer means for the sign-in as a whole.
 * @returns why it is over, or null where another try may follow
 */
export function overAfter(challenge: Challenge, thrown: unknown): WhyOver | null {
  const { code } = asProblem(thrown)
  if (code === 'mfa_invalid') challenge.wrongTries += 1
  if (challenge.wrongTries >= mostTries) return 'tries'
  if (code !== 'mfa_expired') return null
  return Date.now() >= challenge.endsAt ? 'late' : 'over'
}
