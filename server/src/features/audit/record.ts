import type { Clock } from '../../platform/clock.js'
import { uuidv7 } from '../../platform/crypto/random.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { AuditEntryId, TeamId, UserId } from '../../platform/ids.js'
import type { AuditAction } from './actions.js'
import { INSTANCE_CHAIN } from './chain.js'

/** Who did it and from where; an `Actor` is one. */
export interface AuditSubject {
  userId: UserId | null
  teamId: TeamId | null
  agentId?: string | null
  origin: RequestOrigin
}

export interface AuditDetails {
  result?: 'SUCCESS' | 'FAILURE' | 'DENIED'
  /** What was acted on, as `kind:id`. */
  resource?: string
  metadata?: Record<string, unknown>
  /** 0–100. */
  riskScore?: number
}

export interface Audit {
  /** A step: the entry stands if and only if the change does. Never hand it a secret. */
  record(tx: Transaction, by: AuditSubject, action: AuditAction, details?: AuditDetails): Promise<void>
}

type Values = [
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

const insertEntry = namedQuery<never, Values>(
  'audit.insert',
  `WITH entry AS (
     INSERT INTO audit_entries (id, team_id, user_id, agent_id, action, resource, result, metadata, risk_score, ip_address, user_agent, request_id, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) RETURNING id)
   INSERT INTO audit_pending (entry_id, chain) SELECT id, $14 FROM entry`,
)

export function createAudit(clock: Clock): Audit {
  return {
    async record(tx, { userId, teamId, agentId = null, origin }, action, details = {}) {
      const { result = 'SUCCESS', resource = null, metadata = {}, riskScore = null } = details
      const id = uuidv7<AuditEntryId>(clock)
      await tx.run(insertEntry, [
        id,
        teamId,
        userId,
        agentId,
        action,
        resource,
        result,
        // Whatever a program does with an API token says so, whoever recorded it.
        origin.apiTokenId ? { ...metadata, apiTokenId: origin.apiTokenId } : metadata,
        riskScore,
        origin.ip,
        origin.userAgent,
        origin.requestId,
        clock.now(),
        teamId ?? INSTANCE_CHAIN,
      ])
    },
  }
}
