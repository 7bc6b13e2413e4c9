import type { TeamOutbound } from '../../../platform/http/outbound.js'
import { ProviderError } from '../model/provider-error.js'
import type { OidcMetadata } from './oidc-providers.js'
import { requestJson } from './request-json.js'

export interface Exchange {
  clientId: string
  clientSecret: string
  code: string
  verifier: string
  redirectUri: string
}

/** Exchanges the code for tokens (RFC 6749 4.1.3, RFC 7636 4.5). The tokens are not verified yet. @throws ProviderError */
export async function exchangeCode(
  outbound: Pick<TeamOutbound, 'send'>,
  { tokenEndpoint, authMethods }: Pick<OidcMetadata, 'tokenEndpoint' | 'authMethods'>,
  { clientId, clientSecret, code, verifier, redirectUri }: Exchange,
): Promise<{ idToken: unknown; accessToken: string | undefined }> {
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  })
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' }
  if (!authMethods || authMethods.includes('client_secret_basic')) {
    // RFC 6749 2.3.1: each part form-encoded first.
    const pair = [clientId, clientSecret].map((part) => new URLSearchParams({ _: part }).toString().slice(2))
    headers.authorization = `Basic ${Buffer.from(pair.join(':')).toString('base64')}`
  } else if (authMethods.includes('client_secret_post')) {
    form.set('client_id', clientId)
    form.set('client_secret', clientSecret)
  } else
    throw new ProviderError('token_endpoint', 'The token endpoint does not accept a client secret', {
      expected: 'client_secret_basic or client_secret_post',
      found: authMethods,
    })
  const { json } = await requestJson(outbound, 'token_endpoint', tokenEndpoint, {
    method: 'POST',
    headers,
    body: form.toString(),
  })
  const { id_token: idToken, access_token: accessToken } = json
  // A malformed token must not get into a header (RFC 6750 2.1).
  const isToken = typeof accessToken === 'string' && /^[\w.~+/-]+=*$/.test(accessToken)
  return { idToken, accessToken: isToken ? accessToken : undefined }
}
