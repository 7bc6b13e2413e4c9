import { requestBytes } from '../../harness/http-load.js'
import { OWN_SCOPE, REDIRECT_URI, type RelyingParty, VERIFIER } from './relying-party.js'

/** The token endpoint and the client. The service, the floor and the bare engine have their own paths. */
export interface TokenEndpoint {
  tokenPath: string
  client: { clientId: string; secret: string }
}

export const tokenEndpointOf = ({ idp, clientId, secret }: RelyingParty): TokenEndpoint => ({
  tokenPath: `${idp}/token`,
  client: { clientId, secret },
})

const tokenRequest = ({ tokenPath, client }: TokenEndpoint, form: Record<string, string>): Buffer =>
  requestBytes({ method: 'POST', path: tokenPath, client, form })

export const exchangeRequest = (endpoint: TokenEndpoint, code: string): Buffer =>
  tokenRequest(endpoint, {
    grant_type: 'authorization_code',
    code,
    code_verifier: VERIFIER,
    redirect_uri: REDIRECT_URI,
  })

export const codeRequest = (party: RelyingParty, code: string): Buffer => exchangeRequest(tokenEndpointOf(party), code)

export const refreshRequest = (endpoint: TokenEndpoint, token: string): Buffer =>
  tokenRequest(endpoint, { grant_type: 'refresh_token', refresh_token: token })

export const ownCredentialsRequest = (endpoint: TokenEndpoint): Buffer =>
  tokenRequest(endpoint, { grant_type: 'client_credentials', scope: OWN_SCOPE })

export const introspectRequest = (path: string, token: string, client?: TokenEndpoint['client']): Buffer =>
  requestBytes({ method: 'POST', path, client, form: { token } })

export const userinfoRequest = (path: string, token: string): Buffer => requestBytes({ method: 'GET', path, token })

export const revokeRequest = (path: string, token: string): Buffer =>
  requestBytes({ method: 'POST', path, form: { token } })

/** @param tag the entity tag of the document that the client has cached */
export const documentRequest = (path: string, tag?: string): Buffer =>
  requestBytes({ method: 'GET', path, ifNoneMatch: tag })
