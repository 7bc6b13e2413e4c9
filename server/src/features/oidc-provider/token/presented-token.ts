import { SECOND } from '../../../platform/clock.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Runner, Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { GrantId } from '../../../platform/ids.js'
import { toUserAttributes, USER_ATTRIBUTE_COLUMNS, type UserAttributesRow } from '../../oidc-config/index.js'
import { clientFailures } from '../clients/client-limits.js'
import { TEAM_COLUMNS, type TeamColumns } from '../clients/requesting-client.js'
import type { PresentedToken } from '../engine/engine-context.js'
import type { Client } from '../model/client.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { DEVICE_GRANT } from '../model/grant-types.js'
import { GRANT_JOINS, grantEndsAt, grantIsValid, grantItselfIsValid } from '../model/grant-validity.js'

export interface PresentedRow extends TeamColumns, UserAttributesRow {
  kind: PresentedToken['kind']
  payload: Record<string, unknown>
  expires_at: Date
  consumed_at: Date | null
  successor_key_id: string | null
  grant_id: GrantId
  scopes: string[]
  issuer: string
  grant_ends_at: Date
}

// One query reads the token with everything that can invalidate it, and the versions of everything that is cached.
const tokenRead = (
  holds: string,
) => `SELECT t.kind, t.payload, t.expires_at, t.consumed_at, t.successor_key_id, g.id AS grant_id, g.scopes, g.issuer, ${grantEndsAt('g')} AS grant_ends_at, ${clientFailures('$3', '$2')} AS failures, ${TEAM_COLUMNS}, ${USER_ATTRIBUTE_COLUMNS}
   FROM oauth_tokens t JOIN sessions g ON g.id = t.grant_id ${GRANT_JOINS}
   LEFT JOIN signing_key_sets k ON k.organization_id = o.id
   WHERE t.hash = $1 AND t.kind = $4 AND ${holds}`

type FindValues = [Buffer, Date, Buffer, PresentedToken['kind']]
// Excludes delegated grants, because this query does not check the grants that they depend on.
const findUnused = namedQuery<PresentedRow, FindValues>(
  'oidc_provider.find_token',
  tokenRead(`t.expires_at > $2 AND t.consumed_at IS NULL AND ${grantItselfIsValid('$2')} AND g.delegated_from IS NULL`),
)
// Includes used tokens that have expired: reuse revokes the grant.
const lockToken = namedQuery<PresentedRow, FindValues>(
  'oidc_provider.lock_token',
  `${tokenRead(`(t.expires_at > $2 OR t.consumed_at IS NOT NULL) AND ${grantIsValid('$2')}`)} FOR NO KEY UPDATE OF t`,
)

/** The parameter of the presented code or token, and its kind, by grant type. */
const PRESENTED: Record<string, { parameter: string; kind: PresentedToken['kind'] }> = {
  authorization_code: { parameter: 'code', kind: 'AuthorizationCode' },
  refresh_token: { parameter: 'refresh_token', kind: 'RefreshToken' },
  [DEVICE_GRANT]: { parameter: 'device_code', kind: 'DeviceCode' },
}

/** Returns the code, refresh token or device code of a token request. */
export function presentedIn(form: URLSearchParams): PresentedValue | undefined {
  const { parameter, kind } = PRESENTED[form.get('grant_type') ?? ''] ?? {}
  const token = parameter ? form.get(parameter) : null
  return token && kind ? { token, kind } : undefined
}

export interface PresentedValue {
  token: string
  kind: PresentedToken['kind']
}

/**
 * Locks and returns the presented token, so that concurrent requests with it run one after the other. Returns undefined if its grant is not
 * valid. Runs in the caller's transaction.
 */
export async function lockPresented(
  tx: Transaction,
  { token, kind }: PresentedValue,
  now: Date,
  source: Buffer,
): Promise<PresentedRow | undefined> {
  const [row] = await tx.run(lockToken, [tokenHash(token), now, source, kind])
  return row
}

/** Returns a presented token that is unused and not expired, without a lock: the caller must consume it conditionally. */
export async function findUnusedToken(
  runner: Runner,
  { token, kind }: PresentedValue,
  now: Date,
  source: Buffer,
): Promise<PresentedRow | undefined> {
  const [row] = await runner.run(findUnused, [tokenHash(token), now, source, kind])
  return row
}

/**
 * Returns the presented token with its grant; undefined if the key that derives its successor no longer exists.
 * @param tx the transaction that locked the token
 */
export async function presentedOf(
  { clock, serverKeys }: OidcProviderDeps,
  row: PresentedRow,
  token: string,
  client: Client,
  tx?: Transaction,
): Promise<PresentedToken | undefined> {
  // Within the reuse interval a rotated token counts as unused: its successor is derived, so it is the same one.
  const mayBeReused =
    row.kind === 'RefreshToken' &&
    row.consumed_at !== null &&
    clock.ms() - row.consumed_at.getTime() <= client.config.tokenPolicy.reuseInterval * SECOND
  // After the interval no successor is derived and the key of the first use may be deleted. The reuse still revokes the grant.
  const successorKey =
    mayBeReused && row.successor_key_id
      ? await serverKeys.find('successor', row.successor_key_id, tx)
      : serverKeys.current('successor')
  if (!successorKey) return undefined
  const { payload } = row
  return {
    kind: row.kind,
    token,
    payload,
    expiresAt: row.expires_at,
    consumedAt: mayBeReused ? null : row.consumed_at,
    successorKey,
    grant: {
      id: row.grant_id,
      endsAt: row.grant_ends_at,
      userId: row.user_id,
      // Without those that the application may no longer have: an administrator may have removed some.
      scopes: row.scopes.filter((scope) => client.scopes.includes(scope)),
      claims: claimNamesIn(payload.claims),
      clientId: row.client_id,
    },
    userAttributes: toUserAttributes(row),
  }
}

/** Returns the claims that the authorization request named. The user consented to all of them before the code was issued. */
function claimNamesIn(claims: unknown): string[] {
  const parts = Object.values((claims ?? {}) as Record<string, Record<string, unknown> | null>)
  return [...new Set(parts.flatMap((part) => Object.keys(part ?? {})))]
}
