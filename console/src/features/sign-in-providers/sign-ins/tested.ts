import type { SsoProvider, SsoSignIn } from '../../../api/contract'

const SUCCESSES = ['would_sign_in', 'signed_in', 'challenged']

/** Returns whether a test or a sign-in has succeeded since the last change of the provider. Enabling and disabling are changes as well. */
export function isTested({ updatedAt }: Pick<SsoProvider, 'updatedAt'>, signIns: SsoSignIn[] | undefined): boolean {
  return (signIns ?? []).some(
    ({ outcome, createdAt }) => outcome !== undefined && SUCCESSES.includes(outcome) && createdAt >= updatedAt,
  )
}
