import type { SsoProvider } from '../../api/contract'

/** So long before its end a certificate is spoken of. */
const soonMs = 30 * 24 * 60 * 60_000

/** How the last usable certificate of a provider stands. */
export function certificateState(
  { certificateExpiresAt }: Pick<SsoProvider, 'certificateExpiresAt'>,
  now = Date.now(),
): 'fine' | 'soon' | 'ended' {
  if (certificateExpiresAt === undefined) return 'fine'
  const left = Date.parse(certificateExpiresAt) - now
  if (left <= 0) return 'ended'
  return left < soonMs ? 'soon' : 'fine'
}
