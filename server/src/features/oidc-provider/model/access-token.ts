import { SECOND } from '../../../platform/clock.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Runner } from '../../../platform/db/database.js'
import { type NamedQuery, namedQuery } from '../../../platform/db/named-query.js'
import { type ApplicationId, type GrantId, parseId, type TeamId, type UserId } from '../../../platform/ids.js'
import { readCompactJwt, verifyCompactJwt } from '../../../protocols/jws/index.js'
import {
  allowedScopes,
  keysOfIssuer,
  PROFILE_COLUMNS,
  toProfile,
  toUserAttributes,
  USER_ATTRIBUTE_COLUMNS,
} from '../../oidc-config/index.js'
import { isIssued } from './access-token-seal.js'
import { ownGeneration } from './client.js'
import type { OidcProviderDeps } from './deps.js'
import { delegationIsValid, GRANT_JOINS, grantItselfIsValid } from './grant-validity.js'
import { isIssuerOf, issuerPathIn } from './issuer.js'

/** The application of an access token. */
interface TokenApplication {
  applicationId: ApplicationId
  clientId: string
  isAiAgent: boolean
  teamId: TeamId
  /** The scopes that the application may have now. */
  allowedScopes: string[]
  /** DPoP proofs of the application require a nonce. */
  dpopNonceEnabled: boolean
}

interface ApplicationRow extends TokenApplication {
  keyVersion: number
  resources: string[]
}

interface GrantRow extends ApplicationRow {
  user_id: UserId
  /** The grant depends on other grants: run `delegation` as well. */
  is_delegated: boolean
}

const APPLICATION = `a.id AS "applicationId", a.client_id AS "clientId", a.is_ai_agent AS "isAiAgent", ${allowedScopes('a')} AS "allowedScopes", a.resources,
     a.dpop_nonce_enabled AS "dpopNonceEnabled", a.organization_id AS "teamId", k.version AS "keyVersion"`
const NOT_REVOKED = 'NOT EXISTS (SELECT 1 FROM revoked_access_tokens r WHERE r.hash = $3)'

/** Reads the grant of a token with the user columns that the caller needs: each column costs every request. */
export interface GrantReader<P> {
  query: NamedQuery<GrantRow, [GrantId, Date, Buffer]>
  toUserAttributes: (row: GrantRow) => P
}

function readerOf<Row, P>(name: string, columns: string, toUserAttributes: (row: Row & GrantRow) => P): GrantReader<P> {
  const query = namedQuery<GrantRow, [GrantId, Date, Buffer]>(
    name,
    `SELECT ${APPLICATION}, g.delegated_from IS NOT NULL AS is_delegated, ${columns}
     FROM sessions g ${GRANT_JOINS} JOIN signing_key_sets k ON k.organization_id = a.organization_id
     WHERE g.id = $1 AND ${grantItselfIsValid('$2')} AND ${NOT_REVOKED}`,
  )
  // The query selects the columns of Row.
  return { query, toUserAttributes: toUserAttributes as (row: GrantRow) => P }
}

/** Reads the ID and email address of the user. */
export const IDENTITY_READER = readerOf(
  'oidc_provider.behind_grant',
  'u.id AS user_id, u.email',
  ({ user_id, email }: { user_id: UserId; email: string }) => ({ id: user_id, email }),
)
/** Reads the columns of the standard claims. */
export const PROFILE_READER = readerOf('oidc_provider.behind_grant_profile', PROFILE_COLUMNS, toProfile)
/** Reads the columns of all claims. */
export const USER_READER = readerOf('oidc_provider.behind_grant_user', USER_ATTRIBUTE_COLUMNS, toUserAttributes)

/**
 * Returns the grant if every grant and token that it depends on is valid. A separate query, because few grants are delegated and the
 * condition would slow down the planning of every other read.
 */
const delegation = namedQuery<{ id: GrantId }, [GrantId, Date]>(
  'oidc_provider.delegation_holds',
  `SELECT g.id FROM sessions g WHERE g.id = $1 AND ${delegationIsValid('$2')}`,
)

/** Reads the application of a token of the client_credentials grant. */
const findClientOfToken = namedQuery<ApplicationRow, [string, number, Buffer]>(
  'oidc_provider.behind_client',
  `SELECT ${APPLICATION} FROM applications a JOIN organizations o ON o.id = a.organization_id JOIN signing_key_sets k ON k.organization_id = o.id
   WHERE a.client_id = $1 AND ${ownGeneration('a')} = $2 AND o.status = 'ACTIVE' AND ${NOT_REVOKED}`,
)

/** An access token that this service issued and that is neither expired nor revoked. */
export interface ValidAccessToken<P> extends TokenApplication {
  issuerPath: string
  /** The issuer itself, or the requested resource server. */
  audience: string
  /** The audience is the issuer, which userinfo requires. */
  isForIssuer: boolean
  /** Null for a token of the client_credentials grant. */
  grantId: GrantId | null
  userAttributes: P | null
  scopes: string[]
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
  { clock, config, signingKeys, serverKeys }: OidcProviderDeps,
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
  const [grant] = grantId ? await runner.run(reader.query, [grantId, clock.now(), hash]) : []
  const isOfClient = !grantId && typeof gen === 'number' && Number.isInteger(gen) && gen > 0 && gen < 2 ** 31
  const row = grant ?? (isOfClient ? (await runner.run(findClientOfToken, [clientId, gen, hash]))[0] : undefined)
  if (!row || row.clientId !== clientId) return undefined
  const { applicationId, teamId } = row
  // The audience is the issuer itself or a resource server that is still registered for the application.
  if (aud !== iss && !row.resources.includes(aud)) return undefined

  // The claims are trusted only after the signature was verified with a key of the issuer that the token names.
  if (!isIssuerOf(issuer, teamId, applicationId)) return undefined
  const keys = await signingKeys.at(runner, teamId, row.keyVersion)
  const { all } = keysOfIssuer(keys, issuer.path === teamId ? null : applicationId, clock.now())
  if (!verifyCompactJwt(jwt, all, 'at+jwt')) return undefined
  if (grantId && grant?.is_delegated && (await runner.run(delegation, [grantId, clock.now()])).length === 0)
    return undefined

  return {
    applicationId,
    clientId,
    isAiAgent: row.isAiAgent,
    teamId,
    allowedScopes: row.allowedScopes,
    dpopNonceEnabled: row.dpopNonceEnabled,
    issuerPath: issuer.path,
    audience: aud,
    isForIssuer: aud === iss,
    grantId: grantId ?? null,
    userAttributes: grant ? reader.toUserAttributes(grant) : null,
    // Drop the granted scopes that the application may no longer have.
    scopes: typeof scope === 'string' ? scope.split(' ').filter((one) => row.allowedScopes.includes(one)) : [],
    sub,
    exp,
    iat: typeof iat === 'number' ? iat : 0,
    jti,
    claims: jwt.claims,
  }
}
