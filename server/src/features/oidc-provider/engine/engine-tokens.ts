import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { SECOND } from '../../../platform/clock.js'
import type { IssuerKeys } from '../../oidc-config/index.js'
import { signAccessToken, signIdToken } from '../model/sign-tokens.js'
import { engineContext, requireClient } from './engine-context.js'

/** The fields of the engine's token that its JWT contains. */
interface EngineToken {
  kind: 'AccessToken' | 'ClientCredentials'
  jti: string
  accountId?: string
  grantId?: string
  aud: string
  scope?: string
  jkt?: string
  readonly expiration: number
  getValueAndPayload(): Promise<{ value: string }>
}

interface EngineIdToken {
  ctx: KoaContextWithOIDC
  payload(): Promise<Record<string, unknown>>
  issue(options: { use: string }): Promise<string>
}

const now = (): number => Math.floor(engineContext().clock.ms() / SECOND)

/**
 * Replaces how the engine builds and signs JWTs: with the clock of the service and Node's signing, which is several times faster than
 * the engine's WebCrypto.
 * @param seal the key of the service that proves that it issued an access token
 */
export function overrideTokenSigning(provider: Provider, keys: IssuerKeys, seal: Buffer): void {
  for (const model of [provider.AccessToken, provider.ClientCredentials]) {
    const token = model.prototype as unknown as EngineToken
    token.getValueAndPayload = async function getValueAndPayload() {
      const value = await signAccessToken(accessTokenFacts(this, provider.issuer), keys, seal)
      Object.assign(engineContext().outcome, { accessToken: value, jkt: this.jkt })
      return { value }
    }
  }
  const idToken = provider.IdToken.prototype as unknown as EngineIdToken
  idToken.issue = async function issue({ use }) {
    if (use !== 'idtoken') throw new Error(`The engine signs no token for ${use}`)
    const claims = await this.payload()
    const { outcome, presented } = engineContext()
    const facts = {
      claims,
      client: requireClient(),
      issuer: provider.issuer,
      userAttributes: presented?.userAttributes,
    }
    return signIdToken({ ...facts, issuedAt: now(), accessToken: outcome.accessToken }, keys)
  }
}

function accessTokenFacts(token: EngineToken, issuer: string) {
  const { presented, subjectToken } = engineContext()
  const { kind, accountId, grantId, aud, scope, jti, jkt, expiration } = token
  return {
    issuer,
    client: requireClient(),
    grant: kind === 'AccessToken' ? { userId: String(accountId), id: String(grantId) } : null,
    // The user of the presented code or refresh token, or of the subject token of an exchange.
    userAttributes: presented?.userAttributes ?? subjectToken?.token.userAttributes,
    audience: aud,
    scope,
    id: jti,
    issuedAt: now(),
    lifetime: expiration,
    requestedClaims: presented?.payload.claims,
    jkt,
    actedFor: subjectToken && { before: subjectToken.token.claims.act },
  }
}
