import type { Runner } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { GrantId } from '../../../platform/ids.js'
import { type EntryValues, recordingWith } from '../../audit/index.js'
import { extendingGrant, type GrantUse, recordingRefresh } from '../../sessions/index.js'
import { grantEndsAt } from '../model/grant-validity.js'

// Each statement is a transaction of its own: it writes everything or, if the presented token was consumed in the meantime, nothing.
// The time is that of the audit entry.
interface Written {
  written: 1
}

type UseValues = EntryValues & { hash: Buffer; successorKeyId: string }

const USE = { now: ':entryCreatedAt', useId: ':entryId' }
const USED = `used AS (
     UPDATE oauth_tokens SET consumed_at = :entryCreatedAt::timestamptz, successor_key_id = :successorKeyId WHERE hash = :hash AND consumed_at IS NULL
     RETURNING grant_id)`

const exchangeToken = namedQuery<Written, UseValues>(
  'oidc_provider.exchange_token',
  `WITH ${USED}, ${recordingWith('FROM used')} SELECT 1 AS written FROM used`,
)

const rotateToken = namedQuery<
  Written,
  UseValues & GrantUse & { nextHash: Buffer; payload: Record<string, unknown>; expiresAt: Date }
>(
  'oidc_provider.rotate_token',
  `WITH ${USED},
   seen AS (${extendingGrant(USE, grantEndsAt('g'), 'FROM used WHERE g.id = used.grant_id')}),
   given AS (
     INSERT INTO oauth_tokens (hash, kind, grant_id, payload, created_at, expires_at)
     SELECT :nextHash::bytea, 'RefreshToken', grant_id, :payload::jsonb, :entryCreatedAt, :expiresAt::timestamptz FROM used),
   ${recordingRefresh('seen')} SELECT 1 AS written FROM used`,
)

const recordUse = namedQuery<Written, EntryValues & GrantUse & { grantId: GrantId }>(
  'oidc_provider.record_use',
  `WITH seen AS (${extendingGrant(USE, grantEndsAt('g'), 'WHERE g.id = :grantId')}),
   ${recordingRefresh('seen')} SELECT 1 AS written FROM seen`,
)

const recordOwn = namedQuery<Written, EntryValues>(
  'oidc_provider.record_own',
  `WITH ${recordingWith('')} SELECT 1 AS written`,
)

export interface NewRefreshToken {
  hash: Buffer
  payload: Record<string, unknown>
  expiresAt: Date
}

/** The effect of a granted request on the presented token. */
export type FastPathWrite =
  /** Consumes a code or refresh token. */
  | { kind: 'exchange'; hash: Buffer; successorKeyId: string; next: NewRefreshToken | undefined; grant: GrantUse }
  /** The refresh token remains valid. */
  | { kind: 'keep'; grantId: GrantId; grant: GrantUse }
  /** client_credentials: there is no presented token. */
  | { kind: 'own' }

/**
 * Stores the result of a request with its audit entry in one statement. A refresh has an entry only if one is due.
 * @returns false if the token was consumed in the meantime
 */
export async function writeFastPath(runner: Runner, entry: EntryValues, use: FastPathWrite): Promise<boolean> {
  return (await write(runner, entry, use)).length > 0
}

function write(runner: Runner, entry: EntryValues, use: FastPathWrite): Promise<Written[]> {
  if (use.kind === 'own') return runner.run(recordOwn, entry)
  if (use.kind === 'keep') return runner.run(recordUse, { ...entry, ...use.grant, grantId: use.grantId })
  const { hash, successorKeyId, next, grant } = use
  if (!next) return runner.run(exchangeToken, { ...entry, hash, successorKeyId })
  const { hash: nextHash, payload, expiresAt } = next
  return runner.run(rotateToken, { ...entry, ...grant, hash, successorKeyId, nextHash, payload, expiresAt })
}
