import Type from 'typebox'
import { anyObject } from '../../platform/http/any-object.js'
import { PageQuery } from '../../platform/http/paging.js'
import type { NamedEntry } from './labels.js'
import { MOST_DAYS } from './read-stats.js'

const Result = Type.Union([Type.Literal('SUCCESS'), Type.Literal('FAILURE'), Type.Literal('DENIED')])
const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])

export const AuditEntry = Type.Object(
  {
    id: Type.String(),
    teamId: nullable(Type.String({ description: "Null for the instance's entries" })),
    userId: nullable(Type.String()),
    actor: nullable(
      Type.Object({
        id: Type.String(),
        email: nullable(Type.String({ description: 'Null for who is not a member of this team now' })),
      }),
    ),
    agentId: nullable(Type.String()),
    action: Type.String({ description: 'One of docs/audit-events.md' }),
    resource: nullable(Type.String({ description: 'What was acted on, as kind:id' })),
    target: nullable(
      Type.Object({
        kind: Type.String(),
        id: Type.String(),
        label: nullable(Type.String({ description: 'What it is called now; null when it is gone or has no name' })),
      }),
    ),
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

const Scope = {
  scope: Type.Optional(
    Type.Union([Type.Literal('team'), Type.Literal('instance')], {
      description: "Whose log: default the team's; `instance` for administrators of the instance",
    }),
  ),
}
export const ScopeQuery = Type.Object(Scope)

const Filter = {
  userId: Type.Optional(Type.String({ description: 'Who acted' })),
  agentId: Type.Optional(Type.String({ description: 'The AI agent (application) that acted' })),
  action: Type.Optional(Type.String()),
  result: Type.Optional(Result),
  resource: Type.Optional(Type.String({ description: '`kind:id`, or `kind:` for all of a kind' })),
  ipAddress: Type.Optional(Type.String()),
  requestId: Type.Optional(Type.String()),
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Text in the action, the resource, the address of the acting member, the IP address or the user agent; the case does not matter',
    }),
  ),
  minRisk: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: 'Least riskScore' })),
  startDate: Type.Optional(Type.String({ description: 'ISO 8601, inclusive' })),
  endDate: Type.Optional(Type.String({ description: 'ISO 8601, inclusive; a day without a time is the whole day' })),
  ...Scope,
}

export const LogsQuery = Type.Object({ ...Filter, ...PageQuery })
export const LogsPage = Type.Object({
  data: Type.Array(AuditEntry),
  total: Type.Integer(),
  page: Type.Integer(),
  limit: Type.Integer(),
})

export const EntryParams = Type.Object({ id: Type.String() })

export const ExportQuery = Type.Object({
  ...Filter,
  format: Type.Optional(Type.Union([Type.Literal('ndjson'), Type.Literal('csv')], { description: 'Default `ndjson`' })),
})

export const StatsQuery = Type.Object({
  ...Filter,
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MOST_DAYS,
      description: 'Default 30: that many days (UTC), today included. Without meaning beside `startDate`',
    }),
  ),
})
export const Stats = Type.Object({
  totalEvents: Type.Integer(),
  byAction: Type.Array(Type.Object({ action: Type.String(), count: Type.Integer() })),
  byResult: Type.Array(Type.Object({ result: Type.String(), count: Type.Integer() })),
  byDay: Type.Array(
    Type.Object({
      date: Type.String({ format: 'date' }),
      success: Type.Integer(),
      failure: Type.Integer(),
      denied: Type.Integer(),
    }),
    { description: 'Every day (UTC) of the range, also those on which nothing was recorded' },
  ),
})

export const ChainReport = Type.Object(
  {
    valid: Type.Boolean(),
    sealed: Type.Integer({ description: 'Entries under a seal' }),
    pending: Type.Integer({ description: 'Entries that wait for the next seal' }),
    head: nullable(Type.String({ description: 'Hash after the last sealed entry' })),
    checkpoint: nullable(Type.Integer({ description: 'Number of the newest checkpoint that names this chain' })),
    firstBroken: nullable(
      Type.Object({
        id: nullable(Type.String({ description: 'Null where it is not known which entry it was' })),
        reason: Type.String({
          description: 'changed, removed, inserted, seal_forged, checkpoint_broken or counts_changed',
        }),
      }),
    ),
  },
  { $id: 'AuditChainReport' },
)

export const VerifyBody = Type.Object({
  checkpoint: Type.String({
    maxLength: 4_096,
    description: 'What `GET /audit/checkpoint` answered as `checkpoint`, or for the instance a `statement` of the log',
  }),
})

export const Checkpoint = Type.Object({
  chain: Type.String({ description: "The team's id, or the nil UUID for the instance" }),
  seal: Type.Integer(),
  entries: Type.Integer({ description: 'Entries under a seal' }),
  head: Type.String({ description: 'Hash after the last of them' }),
  checkpoint: Type.String({ description: 'The same as a compact JWS (RFC 7515, EdDSA): to be kept outside' }),
})

export const CheckpointKeys = Type.Object({
  keys: Type.Array(
    Type.Object({
      kty: Type.String(),
      crv: Type.String(),
      alg: Type.String(),
      use: Type.String(),
      kid: Type.String(),
      x: Type.String(),
    }),
  ),
})

export const presentEntry = ({ entry, actor, target }: NamedEntry) => ({
  id: entry.id,
  teamId: entry.teamId,
  userId: entry.userId,
  actor,
  agentId: entry.agentId,
  action: entry.action,
  resource: entry.resource,
  target,
  result: entry.result,
  metadata: entry.metadata,
  riskScore: entry.riskScore ?? 0,
  ipAddress: entry.ipAddress,
  userAgent: entry.userAgent,
  requestId: entry.requestId,
  createdAt: entry.createdAt.toISOString(),
})
