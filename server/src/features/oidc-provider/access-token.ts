import { SECOND } from '../../platform/clock.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Runner } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { type ApplicationId, type GrantId, parseId, type TeamId } from '../../platform/ids.js'
import { readCompactJwt, verifyCompactJwt } from '../../protocols/jws/index.js'
import {
  allowedScopes,
  keysOfIssuer,
  PERSON_COLUMNS,
  type Person,
  type PersonRow,
  personOf,
} from '../oidc-config/index.js'
import { ownGeneration } from './client.js'
import type { OidcProviderDeps } from './deps.js'
import { GRANT_JOINS, grantLives } from './grant-lives.js'
import { issuerPathIn } from './issuer.js'

/** An access token that we signed, whose time is not over, and behind which everything still stands. */
export interface LiveAccessToken {
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
  person: Person | null
  scopes: string[]
  /** What the application may have at all. */
  allowedScopes: string[]
  sub: string
  exp: number
  iat: number
  jti: string
  claims: Record<string, unknown>
}

interface Behind {
  application_id: ApplicationId
  client_id: string
  is_ai_agent: boolean
  team_id: TeamId
  key_version: number
  allowed_scopes: string[]
  resources: string[]
  dpop_nonce_enabled: boolean
}

const BEHIND = `a.id AS application_id, a.client_id, a.is_ai_agent, ${allowedScopes('a')} AS allowed_scopes, a.resources, a.dpop_nonce_enabled, a.organization_id AS team_id, k.version AS key_version`
const NOT_REVOKED = 'NOT EXISTS (SELECT 1 FROM revoked_access_tokens r WHERE r.hash = $3)'

const behindGrant = namedQuery<Behind & PersonRow, [GrantId, Date, Buffer]>(
  'oidc_provider.behind_grant',
  `SELECT ${BEHIND}, ${PERSON_COLUMNS} FROM sessions g ${GRANT_JOINS} JOIN signing_key_sets k ON k.organization_id = a.organization_id
   WHERE g.id = $1 AND ${grantLives('$2')} AND ${NOT_REVOKED}`,
)
const behindClient = namedQuery<Behind, [string, number, Buffer]>(
  'oidc_provider.behind_client',
  `SELECT ${BEHIND} FROM applications a JOIN organizations o ON o.id = a.organization_id JOIN signing_key_sets k ON k.organization_id = o.id
   WHERE a.client_id = $1 AND ${ownGeneration('a')} = $2 AND o.status = 'ACTIVE' AND ${NOT_REVOKED}`,
)

/**
 * Judges an access token (RFC 9068 4): one read asks what stands behind it, and brings the version of the keys that may have
 * signed it. Undefined for anything that is not live, whatever the reason.
 */
export async function findLiveAccessToken(
  runner: Runner,
  { clock, config, signingKeys }: Pick<OidcProviderDeps, 'clock' | 'config' | 'signingKeys'>,
  token: string,
): Promise<LiveAccessToken | undefined> {
  const jwt = readCompactJwt(token)
  if (!jwt) return undefined
  const { iss, aud, exp, iat, jti, sub, scope, client_id: clientId, gid, gen } = jwt.claims
  const issuer = issuerPathIn(config.baseUrl, iss)
  if (!issuer || typeof aud !== 'string' || typeof exp !== 'number' || exp * SECOND <= clock.ms()) return undefined
  if (typeof jti !== 'string' || typeof sub !== 'string' || typeof clientId !== 'string') return undefined

  const grantId = typeof gid === 'string' ? parseId<GrantId>(gid) : undefined
  const hash = tokenHash(jti)
  const [behind] = grantId
    ? await runner.run(behindGrant, [grantId, clock.now(), hash])
    : typeof gen === 'number' && Number.isInteger(gen) && gen > 0 && gen < 2 ** 31
      ? await runner.run(behindClient, [clientId, gen, hash])
      : []
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
    person: 'user_id' in behind ? personOf(behind as Behind & PersonRow) : null,
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
