import { SECOND } from '../../../platform/clock.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Runner } from '../../../platform/db/database.js'
import { type ApplicationId, type GrantId, parseId, type TeamId } from '../../../platform/ids.js'
import { readCompactJwt, verifyCompactJwt } from '../../../protocols/jws/index.js'
import { keysOfIssuer } from '../../oidc-config/index.js'
import { behindClient, delegation, type GrantReader } from './access-token-queries.js'
import { isIssued } from './access-token-seal.js'
import type { OidcProviderDeps } from './deps.js'
import { issuerPathIn } from './issuer.js'

/** An access token that this service issued and that is neither expired nor revoked. */
export interface ValidAccessToken<P> {
  issuerPath: string
  /** The issuer itself, or the requested resource server. */
  audience: string
  /** The audience is the issuer, which userinfo requires. */
  isForIssuer: boolean
  teamId: TeamId
  applicationId: ApplicationId
  clientId: string
  isAiAgent: boolean
  /** DPoP proofs of the application require a nonce. */
  dpopNonceEnabled: boolean
  /** Null for a token of the client_credentials grant. */
  grantId: GrantId | null
  userAttributes: P | null
  scopes: string[]
  /** The scopes that the application may have now. */
  allowedScopes: string[]
  sub: string
  exp: number
  iat: number
  jti: string
  claims: Record<string, unknown>
}

/**
 * Verifies an access token (RFC 9068 4). One query reads its grant and the version of the signing keys; a token that this service did
 * not issue is rejected before that query. Returns undefined for any token that is not valid.
 * @param reader selects the columns of the user, so that each caller reads only what it returns
 */
export async function verifyAccessToken<P>(
  runner: Runner,
  { clock, config, signingKeys, serverKeys }: Pick<OidcProviderDeps, 'clock' | 'config' | 'signingKeys' | 'serverKeys'>,
  token: string,
  reader: GrantReader<P>,
): Promise<ValidAccessToken<P> | undefined> {
  const jwt = readCompactJwt(token)
  if (!jwt) return undefined
  const { iss, aud, exp, iat, jti, sub, scope, client_id: clientId, gid, gen } = jwt.claims
  const issuer = issuerPathIn(config.baseUrl, iss)
  if (!issuer || typeof aud !== 'string' || typeof exp !== 'number' || exp * SECOND <= clock.ms()) return undefined
  if (typeof jti !== 'string' || typeof sub !== 'string' || typeof clientId !== 'string') return undefined
  // A team may know the private key that signs its tokens, so the signature alone does not prove that this service issued them.
  if (!isIssued(serverKeys.current('access_token').key, jwt.claims)) return undefined

  const grantId = typeof gid === 'string' ? parseId<GrantId>(gid) : undefined
  const hash = tokenHash(jti)
  const [ofGrant] = grantId ? await runner.run(reader.query, [grantId, clock.now(), hash]) : []
  const ofClient = !grantId && typeof gen === 'number' && Number.isInteger(gen) && gen > 0 && gen < 2 ** 31
  const behind = ofGrant ?? (ofClient ? (await runner.run(behindClient, [clientId, gen, hash]))[0] : undefined)
  if (!behind || behind.client_id !== clientId) return undefined
  // The audience is the issuer itself or a resource server that is still registered for the application.
  if (aud !== iss && !behind.resources.includes(aud)) return undefined

  // The claims are trusted only after the signature was verified with a key of the issuer that the token names.
  const ofTeam = issuer.second === null && issuer.first === behind.team_id
  const issuerApplication = ofTeam ? null : (issuer.second ?? (issuer.first as string))
  if (issuer.second !== null && issuer.first !== behind.team_id) return undefined
  if (issuerApplication !== null && issuerApplication !== behind.application_id) return undefined
  const keys = await signingKeys.at(runner, behind.team_id, behind.key_version)
  const { all } = keysOfIssuer(keys, issuerApplication === null ? null : behind.application_id, clock.now())
  if (!verifyCompactJwt(jwt, all, 'at+jwt')) return undefined
  if (grantId && ofGrant?.delegated && (await runner.run(delegation, [grantId, clock.now()])).length === 0)
    return undefined

  return {
    issuerPath: issuer.path,
    audience: aud,
    isForIssuer: aud === iss,
    teamId: behind.team_id,
    applicationId: behind.application_id,
    clientId,
    isAiAgent: behind.is_ai_agent,
    dpopNonceEnabled: behind.dpop_nonce_enabled,
    grantId: grantId ?? null,
    userAttributes: ofGrant ? reader.toUserAttributes(ofGrant) : null,
    // Drop the granted scopes that the application may no longer have.
    scopes: typeof scope === 'string' ? scope.split(' ').filter((one) => behind.allowed_scopes.includes(one)) : [],
    allowedScopes: behind.allowed_scopes,
    sub,
    exp,
    iat: typeof iat === 'number' ? iat : 0,
    jti,
    claims: jwt.claims,
  }
}
