import Type from 'typebox'
import { PageQuery } from '../../platform/http/paging.js'
import { anyObject, nullable, pageSchema, timestamp } from '../../platform/http/schema-parts.js'
import type { NamedEntry } from './log/labels.js'

const Result = Type.Union([Type.Literal('SUCCESS'), Type.Literal('FAILURE'), Type.Literal('DENIED')])

export const AuditEntry = Type.Object(
  {
    id: Type.String(),
    teamId: nullable(Type.String({ description: "Null for the instance's entries" })),
    userId: nullable(Type.String()),
    actor: nullable(
      Type.Object({
        id: Type.String(),
        email: nullable(Type.String({ description: 'Null if the actor is not a member of this team now' })),
      }),
    ),
    agentId: nullable(Type.String()),
    sessionId: nullable(Type.String({ description: 'The session of the actor' })),
    action: Type.String({ description: 'One of docs/reference/audit-events.md' }),
    resource: nullable(Type.String({ description: 'The target, as kind:id' })),
    target: nullable(
      Type.Object({
        kind: Type.String(),
        id: Type.String(),
        label: nullable(
          Type.String({ description: 'The current name; null if the target was deleted or has no name' }),
        ),
      }),
    ),
    result: Result,
    metadata: anyObject(),
    riskScore: Type.Number({ minimum: 0, maximum: 100, description: '0 if no risk was assessed' }),
    country: nullable(
      Type.String({ description: 'The country of the IP address at the time of the entry, ISO 3166-1 alpha-2' }),
    ),
    ipAddress: nullable(Type.String()),
    userAgent: nullable(Type.String()),
    requestId: nullable(Type.String()),
    personalDataErased: Type.Boolean({
      description:
        'Whether the IP address, the user agent or personal metadata were erased, because the user whom they describe was deleted',
    }),
    createdAt: timestamp(),
  },
  { $id: 'AuditEntry' },
)

const Scope = {
  scope: Type.Optional(
    Type.Union([Type.Literal('team'), Type.Literal('instance')], {
      description: "Default: the team's log; `instance` is for administrators of the instance",
    }),
  ),
}
export const ScopeQuery = Type.Object(Scope)
export type Scope = Type.Static<typeof ScopeQuery>

const Filter = {
  userId: Type.Optional(Type.String({ description: 'The acting user' })),
  agentId: Type.Optional(Type.String({ description: 'The acting AI agent (application)' })),
  action: Type.Optional(Type.String()),
  result: Type.Optional(Result),
  resource: Type.Optional(Type.String({ description: '`kind:id`, or `kind:` for all resources of a kind' })),
  ipAddress: Type.Optional(Type.String()),
  requestId: Type.Optional(Type.String()),
  sessionId: Type.Optional(Type.String({ description: 'The session of the actor' })),
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Case-insensitive search: a part of the action, of the kind of the resource or of the email address of the acting member, or a complete ID, resource or IP address',
    }),
  ),
  minRisk: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: 'Minimum riskScore' })),
  startDate: Type.Optional(Type.String({ description: 'ISO 8601, inclusive' })),
  endDate: Type.Optional(Type.String({ description: 'ISO 8601, inclusive; a day without a time is the whole day' })),
}
const FilterQuery = Type.Object(Filter)
/** The filters of a request. */
export type LogQuery = Type.Static<typeof FilterQuery>

/** Returns whether a query has a filter. */
export const isFiltered = (query: LogQuery): boolean =>
  Object.keys(Filter).some((name) => query[name as keyof LogQuery] !== undefined)

export const LogsQuery = Type.Object({ ...Filter, ...Scope, ...PageQuery })
/** The largest number of entries that a page counts one by one. */
export const MOST_COUNTED = 5_000

export const LogsPage = Type.Object({
  ...pageSchema(AuditEntry).properties,
  totalIsExact: Type.Boolean({
    description: `False if more entries match than \`total\`: with a filter other than action, result and dates, at most ${MOST_COUNTED.toLocaleString('en')} entries are counted`,
  }),
})

export const EntryParams = Type.Object({ id: Type.String() })

export const ExportQuery = Type.Object({
  ...Filter,
  ...Scope,
  format: Type.Optional(Type.Union([Type.Literal('ndjson'), Type.Literal('csv')], { description: 'Default `ndjson`' })),
})

/** The maximum of `days`. */
export const MAX_DAYS = 3_650

export const StatsQuery = Type.Object({
  ...Filter,
  ...Scope,
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_DAYS,
      description: 'Number of days (UTC) including today; default 30. Ignored with `startDate`',
    }),
  ),
})
export type Stats = Type.Static<typeof Stats>
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
    { description: 'Every day (UTC) of the range, also those without entries' },
  ),
})

export const ChainReport = Type.Object(
  {
    valid: Type.Boolean(),
    sealed: Type.Integer({ description: 'Sealed entries' }),
    pending: Type.Integer({ description: 'Entries that wait for the next seal' }),
    removed: Type.Integer({ description: 'Entries before them that retention removed' }),
    head: nullable(Type.String({ description: 'Hash after the last sealed entry' })),
    checkpoint: nullable(Type.Integer({ description: 'Number of the newest checkpoint that names this chain' })),
    firstBroken: nullable(
      Type.Object({
        id: nullable(Type.String({ description: 'Null if the entry is not known' })),
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
    description: 'The `checkpoint` of `GET /audit/checkpoint`, or for the instance a `statement` of the log',
  }),
})

export const Checkpoint = Type.Object({
  chain: Type.String({ description: "The team's ID, or the nil UUID for the instance" }),
  seal: Type.Integer(),
  entries: Type.Integer({ description: 'Sealed entries' }),
  head: Type.String({ description: 'Hash after the last of them' }),
  checkpoint: Type.String({
    description: 'The signed checkpoint as a compact JWS (RFC 7515, EdDSA), for external storage',
  }),
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
  sessionId: entry.sessionId,
  action: entry.action,
  resource: entry.resource,
  target,
  result: entry.result,
  metadata: entry.metadata,
  riskScore: entry.riskScore ?? 0,
  country: entry.country,
  ipAddress: entry.ipAddress,
  userAgent: entry.userAgent,
  requestId: entry.requestId,
  personalDataErased: entry.isErased,
  createdAt: entry.createdAt.toISOString(),
})
