import Type from 'typebox'
import { anyObject } from '../../platform/http/any-object.js'
import { PageQuery } from '../../platform/http/paging.js'
import type { ChainedEntry } from './chain.js'

const Result = Type.Union([Type.Literal('SUCCESS'), Type.Literal('FAILURE'), Type.Literal('DENIED')])
const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])

const AuditEntry = Type.Object(
  {
    id: Type.String(),
    teamId: nullable(Type.String()),
    userId: nullable(Type.String()),
    agentId: nullable(Type.String()),
    action: Type.String({ description: 'One of docs/audit-events.md' }),
    resource: nullable(Type.String({ description: 'What was acted on, as kind:id' })),
    result: Result,
    metadata: anyObject(),
    riskScore: Type.Number({ minimum: 0, maximum: 100, description: '0 where no risk was assessed' }),
    ipAddress: nullable(Type.String()),
    userAgent: nullable(Type.String()),
    requestId: nullable(Type.String()),
    createdAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'AuditEntry' },
)

export const LogsQuery = Type.Object({
  userId: Type.Optional(Type.String()),
  action: Type.Optional(Type.String()),
  result: Type.Optional(Result),
  startDate: Type.Optional(Type.String({ description: 'ISO 8601, inclusive' })),
  endDate: Type.Optional(Type.String({ description: 'ISO 8601, inclusive; a day without a time is the whole day' })),
  ...PageQuery,
})
export const LogsPage = Type.Object({
  data: Type.Array(AuditEntry),
  total: Type.Integer(),
  page: Type.Integer(),
  limit: Type.Integer(),
})

export const StatsQuery = Type.Object({
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_650, description: 'Default 30' })),
})
export const Stats = Type.Object({
  totalEvents: Type.Integer(),
  byAction: Type.Array(Type.Object({ action: Type.String(), count: Type.Integer() })),
  byResult: Type.Array(Type.Object({ result: Type.String(), count: Type.Integer() })),
})

export const ChainReport = Type.Object({
  valid: Type.Boolean(),
  sealed: Type.Integer({ description: 'Entries under a seal' }),
  pending: Type.Integer({ description: 'Entries that wait for the next seal' }),
  head: nullable(Type.String({ description: 'Hash after the last sealed entry' })),
  firstBroken: nullable(
    Type.Object({
      id: nullable(Type.String()),
      reason: Type.String({ description: 'changed, removed, inserted or seal_forged' }),
    }),
  ),
})

export const presentEntry = (row: ChainedEntry) => ({
  id: row.id,
  teamId: row.team_id,
  userId: row.user_id,
  agentId: row.agent_id,
  action: row.action,
  resource: row.resource,
  result: row.result,
  metadata: row.metadata,
  riskScore: row.risk_score ?? 0,
  ipAddress: row.ip_address,
  userAgent: row.user_agent,
  requestId: row.request_id,
  createdAt: row.created_at.toISOString(),
})
