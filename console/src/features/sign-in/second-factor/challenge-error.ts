import { asProblem, type Problem } from '../../../api/problem'
import { type Challenge, mostTries, type WhyOver } from './challenge'

/** Decides whether an error ends the sign-in. @returns the reason, or null if another attempt is possible */
export function overAfter(challenge: Challenge, thrown: unknown): WhyOver | null {
  const problem = asProblem(thrown)
  const { code } = problem
  if (code === 'mfa_invalid') challenge.wrongTries += 1
  if (challenge.wrongTries >= mostTries) return 'tries'
  if (code === 'mfa_expired') return Date.now() >= challenge.endsAt ? 'late' : 'over'
  return refusesSignIn(problem) ? problem : null
}

/** The verification succeeded, but the sign-in was denied. Errors of a proxy have no code. */
const refusesSignIn = ({ status, code }: Problem): boolean =>
  (status === 401 || status === 403) && !['mfa_invalid', 'foreign_origin', 'unexpected'].includes(code)
