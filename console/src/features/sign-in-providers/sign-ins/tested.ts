import type { SsoProvider, SsoSignIn } from '../../../api/contract'

const good = ['would_sign_in', 'signed_in', 'challenged']

/** Whether a test or a sign-in has come through since the provider was last changed; turning it off or on changes it too. */
export function isTested({ updatedAt }: Pick<SsoProvider, 'updatedAt'>, signIns: SsoSignIn[] | undefined): boolean {
  return (signIns ?? []).some(
    ({ outcome, createdAt }) => outcome !== undefined && good.includes(outcome) && createdAt >= updatedAt,
  )
}
