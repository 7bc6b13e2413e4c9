import { asProblem, type Problem } from '../../api/problem'
import { type Challenge, mostTries, type WhyOver } from './challenge'

/**
 * What a refused answer means for the sign-in as a whole.
 * @returns why it is over, or null where another try may follow
 */
export function overAfter(challenge: Challenge, thrown: unknown): WhyOver | null {
  const problem = asProblem(thrown)
  const { code } = problem
  if (code === 'mfa_invalid') challenge.wrongTries += 1
  if (challenge.wrongTries >= mostTries) return 'tries'
  if (code === 'mfa_expired') return Date.now() >= challenge.endsAt ? 'late' : 'over'
  return refusesSignIn(problem) ? problem : null
}

/** The factor was right, and used up the sign-in, which is refused all the same. What a proxy in between refuses has no code. */
const refusesSignIn = ({ status, code }: Problem): boolean =>
  (status === 401 || status === 403) && !['mfa_invalid', 'foreign_origin', 'unexpected'].includes(code)
