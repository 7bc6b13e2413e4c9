import type { Jwt } from './jwt'
import type { PendingTry } from './pending-try'
import type { Check } from './try-steps'

/** The checks of an ID token, except its signature (OpenID Connect Core, section 3.1.3.7). */
export function checkIdToken(
  { payload }: Jwt,
  { issuer, clientId, nonce }: Pick<PendingTry, 'issuer' | 'clientId' | 'nonce'>,
  now: number,
): Check[] {
  const { iss, aud, exp } = payload
  const audience: unknown[] = Array.isArray(aud) ? aud : [aud]
  return [
    { name: 'iss', passed: iss === issuer },
    // With several audiences, `azp` must be the client.
    { name: 'aud', passed: audience.includes(clientId) && (audience.length === 1 || payload.azp === clientId) },
    { name: 'nonce', passed: payload.nonce === nonce },
    { name: 'exp', passed: typeof exp === 'number' && exp > now },
  ]
}
