import { pageOf } from '../../platform/http/paging.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { readLogs, readStats } from './read-logs.js'
import { ChainReport, LogsPage, LogsQuery, presentEntry, Stats, StatsQuery } from './schema.js'
import type { AuditDeps } from './seal-entries.js'
import { verifyChain } from './verify-chain.js'

export const auditRoutes = (deps: AuditDeps): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/v1/audit/logs',
    permission: 'audit:read',
    tag: 'Audit logs',
    summary: "List the team's audit entries, newest first",
    query: LogsQuery,
    responses: { 200: LogsPage },
    handle: async ({ actor, query }) => {
      const page = pageOf(query)
      const { entries, total } = await readLogs(deps, actor.teamId, { ...query, ...page })
      return { data: entries.map(presentEntry), total, ...page }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/audit/stats',
    permission: 'audit:read',
    tag: 'Audit logs',
    summary: "Count the team's audit entries by action and by result",
    query: StatsQuery,
    responses: { 200: Stats },
    handle: ({ actor, query }) => readStats(deps, actor.teamId, query.days ?? 30),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/audit/verify',
    permission: 'audit:read',
    tag: 'Audit logs',
    summary: "Check the team's hash chain from its first entry on",
    responses: { 200: ChainReport },
    handle: ({ actor }) => verifyChain(deps, actor.teamId),
  }),
]
