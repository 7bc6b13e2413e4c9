import { createHash } from 'node:crypto'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { SECOND } from '../../platform/clock.js'
import { isJwsAlgorithm, signCompactJwt } from '../../protocols/jws/index.js'
import { customClaims, type IssuerKeys, type SigningKey } from '../oidc-config/index.js'
import { engineContext } from './engine-context.js'

/** A token of the engine, as far as its JWT is made of it. */
interface EngineToken {
  kind: 'AccessToken' | 'ClientCredentials'
  jti: string
  clientId: string
  accountId?: string
  grantId?: string
  aud: string
  scope?: string
  jkt?: string
  exp?: number
  readonly expiration: number
  getValueAndPayload(): Promise<{ value: string }>
}

interface EngineIdToken {
  ctx: KoaContextWithOIDC
  client: { clientId: string }
  payload(): Promise<Record<string, unknown>>
  issue(options: { use: string }): Promise<string>
}

const signed = (typ: string, claims: object, { kid, algorithm, privateKey }: SigningKey): Promise<string> => {
  if (!isJwsAlgorithm(algorithm)) throw new Error(`A key of ours has the algorithm ${algorithm}`)
  return signCompactJwt({ typ, kid, alg: algorithm }, claims, privateKey)
}

const now = (): number => Math.floor(engineContext().clock.ms() / SECOND)

/**
 * The JWTs are put together and signed here: by the service's clock, with node's own signing (several times cheaper than the
 * engine's way through WebCrypto), and an ID token carries the hash of the access token that comes with it.
 */
export function signTokensOurselves(provider: Provider, keys: IssuerKeys): void {
  for (const model of [provider.AccessToken, provider.ClientCredentials]) {
    const token = model.prototype as unknown as EngineToken
    token.getValueAndPayload = async function getValueAndPayload() {
      const value = await signed('at+jwt', accessClaims(this, provider.issuer), keys.accessToken)
      Object.assign(engineContext().outcome, { accessToken: value, jkt: this.jkt })
      return { value }
    }
  }
  const idToken = provider.IdToken.prototype as unknown as EngineIdToken
  idToken.issue = async function issue({ use }) {
    if (use !== 'idtoken') throw new Error(`The engine signs no token for ${use}`)
    const claims = await this.payload()
    const { outcome, client, presented } = engineContext()
    const { accessToken } = outcome
    if (!client) throw new Error('An ID token is for a client')
    const iat = now()
    return signed(
      'JWT',
      {
        iss: provider.issuer,
        ...claims,
        ...(presented && customClaims(client.config, presented.person, 'ID_TOKEN')),
        aud: this.client.clientId,
        exp: iat + client.config.tokenPolicy.idTokenLifetime,
        iat,
        ...(accessToken && { at_hash: halfHash(accessToken, keys.idToken.algorithm) }),
      },
      keys.idToken,
    )
  }
}

/**
 * RFC 9068 2.2, and what of ours stands behind the token: the grant, or for a token of an application's own credentials the
 * generation of its secret; and the claims that userinfo was asked for by name.
 */
function accessClaims(token: EngineToken, issuer: string): object {
  const { client, presented, subject } = engineContext()
  const iat = now()
  // Who has a token of a person: the one who presents a code or a refresh token, or an agent that brings a token of theirs.
  const person = presented?.person ?? subject?.token.person
  const userinfo = Object.keys((presented?.payload.claims as { userinfo?: object } | undefined)?.userinfo ?? {})
  return {
    ...(client && person && token.accountId && customClaims(client.config, person, 'ACCESS_TOKEN')),
    iss: issuer,
    sub: token.accountId ?? token.clientId,
    aud: token.aud,
    client_id: token.clientId,
    iat,
    exp: iat + token.expiration,
    jti: token.jti,
    ...(token.scope && { scope: token.scope }),
    ...(token.kind === 'AccessToken' ? { gid: token.grantId } : { gen: client?.ownGeneration }),
    ...(userinfo.length > 0 && { uic: userinfo }),
    ...(token.jkt && { cnf: { jkt: token.jkt } }),
    // RFC 8693 4.1: who acts now stands outside, around those who acted before.
    ...(subject && {
      act: { sub: token.clientId, ...(subject.token.claims.act !== undefined && { act: subject.token.claims.act }) },
    }),
  }
}

/** OpenID Connect Core 3.1.3.6: the left half of the hash that belongs to the algorithm. */
function halfHash(text: string, algorithm: string): string {
  const digest = createHash(`sha${algorithm.slice(2)}`)
    .update(text)
    .digest()
  return digest.subarray(0, digest.length / 2).toString('base64url')
}
