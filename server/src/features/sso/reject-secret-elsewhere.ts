import { rejection } from './errors.js'
import type { Provider, ProviderSettings } from './provider.js'

/** What decides where the client secret is sent: the configuration of the issuer names the token endpoint, unless it is written here. */
const DESTINATION = ['oidcIssuer', 'oidcTokenUrl'] as const

/**
 * A secret that lies here goes nowhere but to where whoever knew it let it go: nobody else can have it sent to themselves.
 * @param given the secret that the same change brings; null to forget the one that is there
 * @throws sso_secret_needed
 */
export function rejectSecretElsewhere(
  before: Provider,
  after: ProviderSettings,
  given: string | null | undefined,
): void {
  const isElsewhere = DESTINATION.some((field) => after[field] !== before[field])
  if (before.oidcClientSecret === null || given !== undefined || !isElsewhere) return
  const message = 'must be given once more: it would be sent to another place than before'
  throw rejection('sso_secret_needed', {
    detail: `oidcClientSecret ${message}`,
    errors: [{ path: '/oidcClientSecret', message }],
  })
}
