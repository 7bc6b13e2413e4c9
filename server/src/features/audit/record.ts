import type { Clock } from '../../platform/clock.js'
import { uuidv7 } from '../../platform/crypto/random.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { AuditEntryId, TeamId, UserId } from '../../platform/ids.js'
import type { Metrics } from '../../platform/metrics/metrics.js'
import type { AuditAction } from './actions.js'
import { INSTANCE_CHAIN } from './chain/chain.js'
import { signInOf } from './sign-in-metrics.js'

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
   * Returns the values of an entry, for `recordAll`, or as parameters of a statement with `recordingWith`, which changes and
   * records at once. Only the hottest paths use that to save the round trips of a transaction.
   */
  entry(by: AuditSubject, action: AuditAction, details?: AuditDetails): EntryValues
}

/** An entry as parameters of a query. */
export interface EntryValues {
  entryId: AuditEntryId
  entryTeamId: TeamId | null
  entryUserId: UserId | null
  entryAgentId: string | null
  entryAction: AuditAction
  entryResource: string | null
  entryResult: string
  entryMetadata: Record<string, unknown>
  entryRiskScore: number | null
  entryIp: string | null
  entryUserAgent: string | null
  entryRequestId: string
  entryCreatedAt: Date
  entryChain: string
}

/**
 * SQL: parts of a WITH clause that write an entry from the parameters `EntryValues`.
 * @param from the source, such as `FROM used`: the entry is written only if it has a row, that is if the change was made
 */
export const recordingWith = (from: string): string => `audit_entry AS (
     INSERT INTO audit_entries (id, team_id, user_id, agent_id, action, resource, result, metadata, risk_score, ip_address, user_agent, request_id, created_at)
     SELECT :entryId::uuid, :entryTeamId::uuid, :entryUserId::uuid, :entryAgentId::uuid, :entryAction::text, :entryResource::text, :entryResult::text,
       :entryMetadata::jsonb, :entryRiskScore::integer, :entryIp::text, :entryUserAgent::text, :entryRequestId::text, :entryCreatedAt::timestamptz ${from}
     RETURNING id),
   audit_waiting AS (INSERT INTO audit_pending (entry_id, chain) SELECT id, :entryChain::uuid FROM audit_entry)`

const insertEntry = namedQuery<never, EntryValues>('audit.insert', `WITH ${recordingWith('')} SELECT WHERE false`)

const insertEntries = namedQuery<never, [string]>(
  'audit.insert_all',
  `WITH entries AS (
     INSERT INTO audit_entries (id, team_id, user_id, agent_id, action, resource, result, metadata, risk_score, ip_address, user_agent, request_id, created_at)
     SELECT (e ->> 'entryId')::uuid, (e ->> 'entryTeamId')::uuid, (e ->> 'entryUserId')::uuid, (e ->> 'entryAgentId')::uuid, e ->> 'entryAction', e ->> 'entryResource',
       e ->> 'entryResult', e -> 'entryMetadata', (e ->> 'entryRiskScore')::integer, e ->> 'entryIp', e ->> 'entryUserAgent', e ->> 'entryRequestId', (e ->> 'entryCreatedAt')::timestamptz
     FROM jsonb_array_elements($1::jsonb) e RETURNING id, team_id)
   INSERT INTO audit_pending (entry_id, chain) SELECT id, coalesce(team_id, '${INSTANCE_CHAIN}') FROM entries`,
)

/** Returns the token of the request for the metadata of every entry. */
function tokenOf({ apiTokenId, scimTokenId }: RequestOrigin): Record<string, string> {
  if (scimTokenId) return { method: 'scim', token: scimTokenId }
  return apiTokenId ? { apiTokenId } : {}
}

/** @param metrics counts the recorded sign-ins */
export function createAuditRecorder(clock: Clock, metrics?: Pick<Metrics, 'observeSignIn'>): Audit {
  const audit: Audit = {
    async record(tx, by, action, details) {
      await tx.run(insertEntry, audit.entry(by, action, details))
      const signIn = metrics && signInOf(action, details)
      if (signIn) tx.afterCommit(() => metrics.observeSignIn(signIn.method, signIn.outcome))
    },
    recordAll: async (tx, entries) => void (await tx.run(insertEntries, [JSON.stringify(entries)])),
    entry({ userId, teamId, agentId = null, origin }, action, details = {}) {
      const { result = 'SUCCESS', resource = null, metadata = {}, riskScore = null } = details
      return {
        entryId: uuidv7<AuditEntryId>(clock),
        entryTeamId: teamId,
        entryUserId: userId,
        entryAgentId: agentId,
        entryAction: action,
        entryResource: resource,
        entryResult: result,
        entryMetadata: { ...metadata, ...tokenOf(origin) },
        entryRiskScore: riskScore,
        entryIp: origin.ip,
        entryUserAgent: origin.userAgent,
        entryRequestId: origin.requestId,
        entryCreatedAt: clock.now(),
        entryChain: teamId ?? INSTANCE_CHAIN,
      }
    },
  }
  return audit
}
