import { basicCredentials } from '../clients/basic-credentials.js'
import type { PresentedToken } from '../engine/engine-context.js'
import { presentedIn } from './presented-token.js'

/** A token request of the kind that most are: a client with a secret or without one, and nothing that is rare. */
export interface FastPathRequest {
  grantType: 'authorization_code' | 'refresh_token' | 'client_credentials'
  clientId: string
  /** Null for a client that has none. */
  secret: string | null
  /** What is presented; undefined for an application's own credentials. */
  shown: { token: string; kind: PresentedToken['kind'] } | undefined
  scope: string | null
  redirectUri: string | null
  codeVerifier: string | null
}

/** With any other, or with one that is empty or comes twice, the request is the engine's. */
const PARAMETERS = new Set([
  'grant_type',
  'client_id',
  'client_secret',
  'code',
  'code_verifier',
  'redirect_uri',
  'refresh_token',
  'scope',
])

const GRANT_TYPES = new Set(['authorization_code', 'refresh_token', 'client_credentials'])

/** RFC 7617 2, in the one spelling that leaves nothing to judge. */
const BASIC = /^Basic (?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Reads a token request as a plain one; undefined for every other, right or wrong. */
export function parseFastPathRequest(
  form: URLSearchParams,
  header: (name: string) => string | undefined,
): FastPathRequest | undefined {
  const entries = [...form]
  if (new Set(form.keys()).size !== entries.length) return undefined
  if (!entries.every(([name, value]) => PARAMETERS.has(name) && value !== '')) return undefined
  const grantType = form.get('grant_type') ?? ''
  if (!GRANT_TYPES.has(grantType) || header('dpop') !== undefined) return undefined
  const credentials = credentialsOf(form, header('authorization'))
  const shown = presentedIn(form)
  if (!credentials || (grantType !== 'client_credentials' && !shown)) return undefined
  return {
    ...credentials,
    grantType: grantType as FastPathRequest['grantType'],
    shown,
    scope: form.get('scope'),
    redirectUri: form.get('redirect_uri'),
    codeVerifier: form.get('code_verifier'),
  }
}

/** One way of proving oneself, or none; undefined for several. */
function credentialsOf(form: URLSearchParams, authorization: string | undefined) {
  const [clientId, secret] = [form.get('client_id'), form.get('client_secret')]
  if (authorization === undefined) return clientId ? { clientId, secret } : undefined
  const basic = BASIC.test(authorization) && secret === null ? basicCredentials(authorization) : undefined
  if (!basic || (clientId !== null && clientId !== basic.clientId)) return undefined
  return basic
}
