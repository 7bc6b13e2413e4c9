import type { Jwt } from './jwt'
import type { PendingTry } from './pending-try'
import type { Check } from './try-steps'

/** What an application has to check before it believes an ID token, but for the signature (OpenID Connect Core, 3.1.3.7). */
export function checkIdToken(
  { payload }: Jwt,
  { issuer, clientId, nonce }: Pick<PendingTry, 'issuer' | 'clientId' | 'nonce'>,
  now: number,
): Check[] {
  const { iss, aud, exp } = payload
  const audience: unknown[] = Array.isArray(aud) ? aud : [aud]
  return [
    { name: 'iss', passed: iss === issuer },
    // With more than one, `azp` has to name who got the token.
    { name: 'aud', passed: audience.includes(clientId) && (audience.length === 1 || payload.azp === clientId) },
    { name: 'nonce', passed: payload.nonce === nonce },
    { name: 'exp', passed: typeof exp === 'number' && exp > now },
  ]
}
