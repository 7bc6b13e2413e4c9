import type { SsoProvider } from '../../api/contract'

/** Warnings start this long before the expiry. */
const SOON_MS = 30 * 24 * 60 * 60_000

/** Returns the state of the certificate of a provider that expires last. */
export function certificateState(
  { certificateExpiresAt }: { certificateExpiresAt?: SsoProvider['certificateExpiresAt'] | undefined },
  now = Date.now(),
): 'valid' | 'soon' | 'expired' {
  if (certificateExpiresAt === undefined) return 'valid'
  const left = Date.parse(certificateExpiresAt) - now
  if (left <= 0) return 'expired'
  return left < SOON_MS ? 'soon' : 'valid'
}
