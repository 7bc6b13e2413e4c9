import { requestBytes } from '../../harness/http-load.js'
import { OWN_SCOPE, REDIRECT_URI, type RelyingParty, VERIFIER } from './relying-party.js'

/** Where and as whom a token is asked for: the service, the floor and the bare engine have their own paths. */
export interface Asked {
  tokenPath: string
  client: { clientId: string; secret: string }
}

export const askedOf = ({ idp, clientId, secret }: RelyingParty): Asked => ({
  tokenPath: `${idp}/token`,
  client: { clientId, secret },
})

const tokenRequest = ({ tokenPath, client }: Asked, form: Record<string, string>): Buffer =>
  requestBytes({ method: 'POST', path: tokenPath, client, form })

export const exchangeRequest = (asked: Asked, code: string): Buffer =>
  tokenRequest(asked, {
    grant_type: 'authorization_code',
    code,
    code_verifier: VERIFIER,
    redirect_uri: REDIRECT_URI,
  })

export const codeRequest = (party: RelyingParty, code: string): Buffer => exchangeRequest(askedOf(party), code)

export const refreshRequest = (asked: Asked, token: string): Buffer =>
  tokenRequest(asked, { grant_type: 'refresh_token', refresh_token: token })

export const ownCredentialsRequest = (asked: Asked): Buffer =>
  tokenRequest(asked, { grant_type: 'client_credentials', scope: OWN_SCOPE })

export const introspectRequest = (path: string, token: string, client?: Asked['client']): Buffer =>
  requestBytes({ method: 'POST', path, client, form: { token } })

export const userinfoRequest = (path: string, token: string): Buffer => requestBytes({ method: 'GET', path, token })

export const revokeRequest = (path: string, token: string): Buffer =>
  requestBytes({ method: 'POST', path, form: { token } })

/** @param tag of what the client has already */
export const documentRequest = (path: string, tag?: string): Buffer =>
  requestBytes({ method: 'GET', path, ifNoneMatch: tag })
