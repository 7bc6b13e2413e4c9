import type { Runner } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { GrantId } from '../../../platform/ids.js'
import { type EntryValues, recordingWith } from '../../audit/index.js'
import { grantEndsAt } from '../model/grant-validity.js'

// Each statement is a transaction of its own: it writes everything or, if the presented token was consumed in the meantime, nothing.
// $1 to $14 are the audit entry, $13 its time.
interface Written {
  written: 1
}

const USED = `used AS (
     UPDATE oauth_tokens SET consumed_at = $13::timestamptz, successor_key_id = $16 WHERE hash = $15 AND consumed_at IS NULL
     RETURNING grant_id)`

type UseValues = [...EntryValues, Buffer, string]

const exchangeToken = namedQuery<Written, UseValues>(
  'oidc_provider.exchange_token',
  `WITH ${USED}, ${recordingWith('FROM used')} SELECT 1 AS written FROM used`,
)

const rotateToken = namedQuery<Written, [...UseValues, Buffer, Record<string, unknown>, Date, Date]>(
  'oidc_provider.rotate_token',
  `WITH ${USED},
   seen AS (
     UPDATE sessions g SET last_seen_at = $13, expires_at = least(greatest(g.expires_at, $20), ${grantEndsAt('g')}) FROM used WHERE g.id = used.grant_id),
   given AS (
     INSERT INTO oauth_tokens (hash, kind, grant_id, payload, created_at, expires_at)
     SELECT $17::bytea, 'RefreshToken', grant_id, $18::jsonb, $13, $19::timestamptz FROM used),
   ${recordingWith('FROM used')} SELECT 1 AS written FROM used`,
)

const noteUse = namedQuery<Written, [...EntryValues, GrantId, Date]>(
  'oidc_provider.record_use',
  `WITH seen AS (
     UPDATE sessions g SET last_seen_at = $13::timestamptz, expires_at = least(greatest(expires_at, $16), ${grantEndsAt('g')}) WHERE id = $15 RETURNING id),
   ${recordingWith('FROM seen')} SELECT 1 AS written FROM seen`,
)

const noteOwn = namedQuery<Written, EntryValues>(
  'oidc_provider.note_own',
  `WITH ${recordingWith('')} SELECT 1 AS written`,
)

export interface NewRefreshToken {
  hash: Buffer
  payload: Record<string, unknown>
  expiresAt: Date
}

/** The effect of a granted request on the presented token. */
export type FastPathWrite =
  /** Consumes a code or refresh token. With a new refresh token, the grant is stored at least until `grantUntil`. */
  | { kind: 'exchange'; hash: Buffer; successorKeyId: string; next: NewRefreshToken | undefined; grantUntil: Date }
  /** The refresh token remains valid. */
  | { kind: 'keep'; grantId: GrantId; grantUntil: Date }
  /** client_credentials: there is no presented token. */
  | { kind: 'own' }

/**
 * Stores the result of a request with its audit entry in one statement.
 * @returns false if the token was consumed in the meantime
 */
export async function writeFastPath(runner: Runner, entry: EntryValues, use: FastPathWrite): Promise<boolean> {
  return (await write(runner, entry, use)).length > 0
}

function write(runner: Runner, entry: EntryValues, use: FastPathWrite): Promise<Written[]> {
  if (use.kind === 'own') return runner.run(noteOwn, entry)
  if (use.kind === 'keep') return runner.run(noteUse, [...entry, use.grantId, use.grantUntil])
  const { hash, successorKeyId, next, grantUntil } = use
  return next
    ? runner.run(rotateToken, [...entry, hash, successorKeyId, next.hash, next.payload, next.expiresAt, grantUntil])
    : runner.run(exchangeToken, [...entry, hash, successorKeyId])
}
