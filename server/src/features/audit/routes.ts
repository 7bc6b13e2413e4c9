import { pageOf } from '../../platform/http/paging.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { fileOf } from '../../platform/http/streamed-response.js'
import type { AuditDeps } from './chain/deps.js'
import { readCheckpoint } from './chain/read-checkpoint.js'
import { publicKey } from './chain/signed-checkpoint.js'
import { createVerifyChain } from './chain/verify-chain.js'
import { exportLogs } from './log/export-logs.js'
import { readEntry, readLogs } from './log/read-logs.js'
import { readStats } from './log/read-stats.js'
import { authorizeLog, type LogDeps } from './log/search-log.js'
import {
  AuditEntry,
  ChainReport,
  Checkpoint,
  CheckpointKeys,
  EntryParams,
  ExportQuery,
  LogsPage,
  LogsQuery,
  presentEntry,
  ScopeQuery,
  Stats,
  StatsQuery,
  VerifyBody,
} from './schema.js'

const AUDIT = { permission: 'audit:read', tag: 'Audit logs' } as const

export function auditRoutes(deps: AuditDeps & LogDeps): Route[] {
  const verifyChain = createVerifyChain(deps)
  return [
    defineRoute({
      ...AUDIT,
      method: 'GET',
      path: '/api/v1/audit/logs',
      summary: "List the team's audit entries, newest first",
      query: LogsQuery,
      responses: { 200: LogsPage },
      errors: ['search_too_wide'],
      handle: async ({ actor, query }) => {
        const page = pageOf(query)
        const { entries, total, totalIsExact } = await readLogs(deps, actor, { ...query, ...page })
        return { data: entries.map(presentEntry), total, totalIsExact, ...page }
      },
    }),
    defineRoute({
      ...AUDIT,
      method: 'GET',
      path: '/api/v1/audit/logs/export',
      summary: 'Export matching audit entries as a file, newest first',
      description:
        'Streamed, without a limit of size. NDJSON has one entry per line in the format of the list. CSV has a header line, and an apostrophe before values that a spreadsheet would execute. If the connection closes early, the file is incomplete. The export is recorded as `audit.exported`.',
      query: ExportQuery,
      responses: { 200: fileOf(['application/x-ndjson', 'text/csv'], 'The file') },
      errors: ['search_too_wide'],
      handle: ({ actor, query }) => exportLogs(deps, actor, query),
    }),
    defineRoute({
      ...AUDIT,
      method: 'GET',
      path: '/api/v1/audit/logs/:id',
      summary: 'Get an audit entry',
      params: EntryParams,
      query: ScopeQuery,
      responses: { 200: AuditEntry },
      errors: ['audit_entry_not_found'],
      handle: async ({ actor, params, query }) => presentEntry(await readEntry(deps, actor, params.id, query)),
    }),
    defineRoute({
      ...AUDIT,
      method: 'GET',
      path: '/api/v1/audit/stats',
      summary: "Count the team's audit entries by action, by result and by day",
      query: StatsQuery,
      responses: { 200: Stats },
      errors: ['search_too_wide'],
      handle: ({ actor, query }) => readStats(deps, actor, query),
    }),
    defineRoute({
      ...AUDIT,
      method: 'GET',
      path: '/api/v1/audit/verify',
      summary: "Verify the team's hash chain from its first entry",
      description: 'Concurrent requests for the same chain share one verification.',
      query: ScopeQuery,
      responses: { 200: ChainReport },
      handle: ({ actor, query }) => verifyChain(authorizeLog(actor, query)),
    }),
    defineRoute({
      ...AUDIT,
      method: 'POST',
      path: '/api/v1/audit/verify',
      summary: 'Verify the hash chain against an externally stored checkpoint',
      query: ScopeQuery,
      body: VerifyBody,
      responses: { 200: ChainReport },
      errors: ['checkpoint_not_genuine'],
      handle: ({ actor, query, body }) => verifyChain(authorizeLog(actor, query), body.checkpoint),
    }),
    defineRoute({
      ...AUDIT,
      method: 'GET',
      path: '/api/v1/audit/checkpoint',
      summary: 'Get a signed checkpoint of the hash chain, for external storage',
      query: ScopeQuery,
      responses: { 200: Checkpoint },
      handle: ({ actor, query }) => readCheckpoint(deps, actor, query),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/v1/audit/checkpoint-keys',
      permission: 'public',
      tag: 'Audit logs',
      summary: 'Get the keys that verify checkpoints as a JSON Web Key Set',
      responses: { 200: CheckpointKeys },
      handle: async () => ({ keys: [publicKey(deps.keys)] }),
    }),
  ]
}
