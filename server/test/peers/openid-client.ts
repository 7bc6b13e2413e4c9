import * as client from 'openid-client'
import type { TestApp } from '../doubles/relying-party.js'
import { fetchPublished } from '../factories/published-address.js'
import type { Browser } from '../harness/browser.js'
import type { TestService } from '../harness/service.js'

/** The scopes of a client that requests all claims and offline access. */
export const SCOPE = 'openid profile email offline_access'

/** Returns the openid-client configuration of an application. The library also verifies ID token signatures. */
export function discover(
  service: TestService,
  { issuer, clientId }: TestApp,
  auth: client.ClientAuth,
): Promise<client.Configuration> {
  const options = {
    [client.customFetch]: fetchPublished(service) as client.CustomFetch,
    execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
  }
  return client.discovery(new URL(issuer), clientId, undefined, auth, options)
}

interface Checks {
  pkceCodeVerifier: string
  expectedState: string
  expectedNonce: string
  idTokenExpected: true
  maxAge: number
}

interface Asked {
  /** The authorization request as the library builds it. */
  params: Record<string, string>
  /** The values that the library checks the response against. */
  checks: Checks
}

export async function requestCode(app: TestApp, more: Record<string, string> = {}): Promise<Asked> {
  const checks: Checks = {
    pkceCodeVerifier: client.randomPKCECodeVerifier(),
    expectedState: client.randomState(),
    expectedNonce: client.randomNonce(),
    idTokenExpected: true,
    maxAge: 10_000,
  }
  const params = {
    redirect_uri: app.redirectUri,
    scope: SCOPE,
    code_challenge: await client.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: checks.expectedState,
    nonce: checks.expectedNonce,
    max_age: String(checks.maxAge),
    ...more,
  }
  return { params, checks }
}

/** Opens an authorization URL in a browser and returns the URL of the callback. */
export const send = async (from: Browser, { href }: URL): Promise<URL> =>
  (await from.follow(await from.visit(href))).callback

/** Runs an authorization request and returns the callback with the values that the library checks it against. */
export async function begin(
  config: client.Configuration,
  app: TestApp,
  from: Browser,
  more: Record<string, string> = {},
): Promise<{ callback: URL; checks: Checks }> {
  const { params, checks } = await requestCode(app, more)
  return { callback: await send(from, client.buildAuthorizationUrl(config, params)), checks }
}
