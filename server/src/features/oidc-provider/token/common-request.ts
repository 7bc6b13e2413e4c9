import type { SentRequest } from '../../../platform/http/route.js'
import { basicCredentials } from '../clients/basic-credentials.js'
import { type PresentedValue, presentedIn } from './presented-token.js'

/** A common token request: a client with or without a secret, and no uncommon parameters. */
export interface CommonRequest {
  grantType: 'authorization_code' | 'refresh_token' | 'client_credentials'
  clientId: string
  /** Null for a client without a secret. */
  secret: string | null
  /** The presented code or refresh token; undefined for client_credentials. */
  presented: PresentedValue | undefined
  scope: string | null
  redirectUri: string | null
  codeVerifier: string | null
}

/** The engine handles requests with any other parameter, or with an empty or repeated one. */
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

/** Longer forms go to the engine, which rejects those above its own limit of 56 KiB. */
const MAX_FORM_LENGTH = 8_192

/** RFC 7617 2, only in its strict form. */
const BASIC = /^Basic (?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** RFC 6749 A.1 and A.2, not empty. */
const VISIBLE = /^[\x20-\x7e]+$/

/** Parses a common token request; returns undefined for every other request, valid or not. */
export function parseCommonRequest(form: URLSearchParams, { header, body }: SentRequest): CommonRequest | undefined {
  if (body.length > MAX_FORM_LENGTH) return undefined
  const entries = [...form]
  if (new Set(form.keys()).size !== entries.length) return undefined
  if (!entries.every(([name, value]) => PARAMETERS.has(name) && value !== '')) return undefined
  const grantType = form.get('grant_type') ?? ''
  if (!GRANT_TYPES.has(grantType) || header('dpop') !== undefined) return undefined
  const credentials = credentialsOf(form, header('authorization'))
  const presented = presentedIn(form)
  if (!credentials || (grantType !== 'client_credentials' && !presented)) return undefined
  return {
    ...credentials,
    grantType: grantType as CommonRequest['grantType'],
    presented,
    scope: form.get('scope'),
    redirectUri: form.get('redirect_uri'),
    codeVerifier: form.get('code_verifier'),
  }
}

/** Returns the client ID and secret; undefined without a client ID, or for more than one authentication method. */
function credentialsOf(form: URLSearchParams, authorization: string | undefined) {
  const [clientId, secret] = [form.get('client_id'), form.get('client_secret')]
  if (authorization === undefined) return clientId ? { clientId, secret } : undefined
  const basic = BASIC.test(authorization) && secret === null ? basicCredentials(authorization) : undefined
  if (!basic || !VISIBLE.test(basic.clientId) || !VISIBLE.test(basic.secret)) return undefined
  return clientId === null || clientId === basic.clientId ? basic : undefined
}
