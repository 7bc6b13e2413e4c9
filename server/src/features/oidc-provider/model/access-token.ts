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

/** An access token that we issued, whose time is not over, and behind which everything still stands. */
export interface ValidAccessToken<P> {
  issuerPath: string
  /** The issuer itself, or the resource server that it was asked for. */
  audience: string
  /** The audience is the issuer: userinfo is open to it. */
  isForIssuer: boolean
  teamId: TeamId
  applicationId: ApplicationId
  clientId: string
  isAiAgent: boolean
  /** Proofs of possession of its tokens must carry a nonce. */
  dpopNonceEnabled: boolean
  /** Null for a token of an application's own credentials. */
  grantId: GrantId | null
  person: P | null
  scopes: string[]
  /** What the application may have at all. */
  allowedScopes: string[]
  sub: string
  exp: number
  iat: number
  jti: string
  claims: Record<string, unknown>
}

/**
 * Judges an access token (RFC 9068 4): one read asks what stands behind it, and brings the version of the keys that may have
 * signed it. A token that the service did not issue is not even asked for. Undefined for anything that is not live, whatever the reason.
 * @param reader how much of the person behind it is read: a caller asks for no more than it tells
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
  // The team may have the private key that signs its tokens: only the service decides what they allow.
  if (!isIssued(serverKeys.current('access_token').key, jwt.claims)) return undefined

  const grantId = typeof gid === 'string' ? parseId<GrantId>(gid) : undefined
  const hash = tokenHash(jti)
  const [ofGrant] = grantId ? await runner.run(reader.query, [grantId, clock.now(), hash]) : []
  const ofClient = !grantId && typeof gen === 'number' && Number.isInteger(gen) && gen > 0 && gen < 2 ** 31
  const behind = ofGrant ?? (ofClient ? (await runner.run(behindClient, [clientId, gen, hash]))[0] : undefined)
  if (!behind || behind.client_id !== clientId) return undefined
  // For the issuer itself, or for a resource server that is registered for the application still.
  if (aud !== iss && !behind.resources.includes(aud)) return undefined

  // Nothing that was read so far is believed before the signature: by a key of the very issuer that the token names.
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
    person: ofGrant ? reader.personOf(ofGrant) : null,
    // What the application may have now, of what it was given.
    scopes: typeof scope === 'string' ? scope.split(' ').filter((one) => behind.allowed_scopes.includes(one)) : [],
    allowedScopes: behind.allowed_scopes,
    sub,
    exp,
    iat: typeof iat === 'number' ? iat : 0,
    jti,
    claims: jwt.claims,
  }
}
