import * as client from 'openid-client'
import type { Browser } from './browser.js'
import { fetchPublished } from './published-address.js'
import type { TestApp } from './relying-party.js'
import type { TestService } from './service.js'

/** What a client asks for that wants all that there is from the start. */
export const SCOPE = 'openid profile email offline_access'

/** The configuration of openid-client for an application; the signatures of ID tokens are verified as well. */
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
  /** The authorize request as the library wants it. */
  params: Record<string, string>
  /** What it will hold the answer against. */
  checks: Checks
}

export async function askForCode(app: TestApp, more: Record<string, string> = {}): Promise<Asked> {
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

/** Sends a browser to an authorize address; says where the relying party takes over. */
export const send = async (from: Browser, { href }: URL): Promise<URL> =>
  (await from.follow(await from.visit(href))).callback

/** The whole way to an answer at the redirect URI, and what the library will hold it against. */
export async function begin(
  config: client.Configuration,
  app: TestApp,
  from: Browser,
  more: Record<string, string> = {},
): Promise<{ callback: URL; checks: Checks }> {
  const { params, checks } = await askForCode(app, more)
  return { callback: await send(from, client.buildAuthorizationUrl(config, params)), checks }
}
