import type { Clock } from '../../platform/clock.js'
import { uuidv7 } from '../../platform/crypto/random.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { AuditEntryId, TeamId, UserId } from '../../platform/ids.js'
import type { AuditAction } from './actions.js'
import { INSTANCE_CHAIN } from './chain/chain.js'

/** The actor of an entry and the origin of the request; an `Actor` qualifies. */
export interface AuditSubject {
  userId: UserId | null
  teamId: TeamId | null
  agentId?: string | null
  origin: RequestOrigin
}

/** The author of a change in a team: one of its users, or its directory without a user. */
export type TeamSubject = AuditSubject & { teamId: TeamId }

export interface AuditDetails {
  result?: 'SUCCESS' | 'FAILURE' | 'DENIED'
  /** The target, as `kind:id`. */
  resource?: string
  metadata?: Record<string, unknown>
  /** 0–100. */
  riskScore?: number
}

export interface Audit {
  /** Records an entry, which exists if and only if the change does. Must not contain secrets. Runs in the caller's transaction. */
  record(tx: Transaction, by: AuditSubject, action: AuditAction, details?: AuditDetails): Promise<void>
  /** Records several entries in one statement. Runs in the caller's transaction. */
  recordAll(tx: Transaction, entries: EntryValues[]): Promise<void>
  /**
   * Returns the values of an entry, for `recordAll`, or as the first parameters of a statement with `recordingWith`, which changes and
   * records at once. Only the hottest paths use that to save the round trips of a transaction.
   */
  entry(by: AuditSubject, action: AuditAction, details?: AuditDetails): EntryValues
}

export type EntryValues = [
  AuditEntryId,
  TeamId | null,
  UserId | null,
  string | null,
  AuditAction,
  string | null,
  string,
  Record<string, unknown>,
  number | null,
  string | null,
  string | null,
  string,
  Date,
  string,
]

/**
 * Returns the parts of a WITH clause that write an entry from the parameters $1 to $14.
 * @param from the source, such as `FROM used`: the entry is written only if it has a row, that is if the change was made
 */
export const recordingWith = (from: string): string => `audit_entry AS (
     INSERT INTO audit_entries (id, team_id, user_id, agent_id, action, resource, result, metadata, risk_score, ip_address, user_agent, request_id, created_at)
     SELECT $1::uuid, $2::uuid, $3::uuid, $4::uuid, $5::text, $6::text, $7::text, $8::jsonb, $9::integer, $10::text, $11::text, $12::text, $13::timestamptz ${from}
     RETURNING id),
   audit_waiting AS (INSERT INTO audit_pending (entry_id, chain) SELECT id, $14::uuid FROM audit_entry)`

const insertEntry = namedQuery<never, EntryValues>('audit.insert', `WITH ${recordingWith('')} SELECT WHERE false`)

const insertEntries = namedQuery<never, [string]>(
  'audit.insert_all',
  `WITH entries AS (
     INSERT INTO audit_entries (id, team_id, user_id, agent_id, action, resource, result, metadata, risk_score, ip_address, user_agent, request_id, created_at)
     SELECT (e ->> 0)::uuid, (e ->> 1)::uuid, (e ->> 2)::uuid, (e ->> 3)::uuid, e ->> 4, e ->> 5, e ->> 6, e -> 7, (e ->> 8)::integer, e ->> 9, e ->> 10, e ->> 11, (e ->> 12)::timestamptz
     FROM jsonb_array_elements($1::jsonb) e RETURNING id, team_id)
   INSERT INTO audit_pending (entry_id, chain) SELECT id, coalesce(team_id, '${INSTANCE_CHAIN}') FROM entries`,
)

/** Returns the token of the request for the metadata of every entry. */
function tokenOf({ apiTokenId, scimTokenId }: RequestOrigin): Record<string, string> {
  if (scimTokenId) return { method: 'scim', token: scimTokenId }
  return apiTokenId ? { apiTokenId } : {}
}

export function createAuditRecorder(clock: Clock): Audit {
  const audit: Audit = {
    record: async (tx, by, action, details) => void (await tx.run(insertEntry, audit.entry(by, action, details))),
    recordAll: async (tx, entries) => void (await tx.run(insertEntries, [JSON.stringify(entries)])),
    entry({ userId, teamId, agentId = null, origin }, action, details = {}) {
      const { result = 'SUCCESS', resource = null, metadata = {}, riskScore = null } = details
      return [
        uuidv7<AuditEntryId>(clock),
        teamId,
        userId,
        agentId,
        action,
        resource,
        result,
        { ...metadata, ...tokenOf(origin) },
        riskScore,
        origin.ip,
        origin.userAgent,
        origin.requestId,
        clock.now(),
        teamId ?? INSTANCE_CHAIN,
      ]
    },
  }
  return audit
}
