import type { Application } from '../../../api/contract'
import { issuerOf } from '../../../api/issuer'
import { serviceAddress } from '../../../api/service-address'
import type { PendingTry } from './pending-try'
import { challengeOf, randomText } from './pkce'

/** The callback URL of test runs, the same for every application. */
export function tryCallbackUrl(origin = location.origin): string {
  return `${origin}/try/callback`
}

interface Options {
  scopes: string[]
  /** shows the sign-in page to signed-in users, too */
  freshSignIn: boolean
}

export async function preparedTry(
  application: Application,
  slug: string,
  { scopes, freshSignIn }: Options,
): Promise<PendingTry> {
  const verifier = randomText()
  return {
    teamId: application.teamId,
    slug,
    appId: application.id,
    name: application.name,
    clientId: application.clientId,
    isPublic: application.isPublicClient,
    issuer: issuerOf(application, serviceAddress()),
    redirectUri: tryCallbackUrl(),
    scope: scopes.join(' '),
    prompt: freshSignIn ? 'login' : null,
    verifier,
    challenge: await challengeOf(verifier),
    state: randomText(),
    nonce: randomText(),
  }
}

/** Returns the URL of the authorization request (RFC 6749, section 4.1.1; RFC 7636, section 4.3). */
export function authorizeUrl(pending: PendingTry): string {
  const { issuer, clientId, redirectUri, scope, state, nonce, challenge, prompt } = pending
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    state,
    nonce,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...(prompt && { prompt }),
  })
  return `${issuer}/authorize?${query}`
}
