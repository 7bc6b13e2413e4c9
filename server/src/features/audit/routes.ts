import { pageOf } from '../../platform/http/paging.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { fileOf } from '../../platform/http/streamed-answer.js'
import { publicKey } from './checkpoint-statement.js'
import type { AuditDeps } from './deps.js'
import { exportLogs } from './export-logs.js'
import { readCheckpoint } from './read-checkpoint.js'
import { readEntry, readLogs } from './read-logs.js'
import { readStats } from './read-stats.js'
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
import { type LogDeps, logOf } from './scope.js'
import { createVerifyChain } from './verify-chain.js'

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
        const { entries, total } = await readLogs(deps, actor, { ...query, ...page })
        return { data: entries.map(presentEntry), total, ...page }
      },
    }),
    defineRoute({
      ...AUDIT,
      method: 'GET',
      path: '/api/v1/audit/logs/export',
      summary: 'Export the matching entries as a file, newest first',
      description:
        'Sent while it is read, however long it is. NDJSON has one entry a line, as the list has it; CSV has a head line, and an apostrophe before what a spreadsheet would execute. A file that breaks off is not whole. The export is recorded as `audit.exported`.',
      query: ExportQuery,
      responses: { 200: fileOf(['application/x-ndjson', 'text/csv'], 'The file') },
      errors: ['search_too_wide'],
      handle: ({ actor, query }) => exportLogs(deps, actor, query),
    }),
    defineRoute({
      ...AUDIT,
      method: 'GET',
      path: '/api/v1/audit/logs/:id',
      summary: 'One audit entry',
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
      summary: "Check the team's hash chain from its first entry on",
      description: 'Whoever asks while a check of the same chain is under way gets what that one finds.',
      query: ScopeQuery,
      responses: { 200: ChainReport },
      handle: ({ actor, query }) => verifyChain(logOf(actor, query)),
    }),
    defineRoute({
      ...AUDIT,
      method: 'POST',
      path: '/api/v1/audit/verify',
      summary: 'Check the hash chain, and that it still reaches a checkpoint kept outside',
      query: ScopeQuery,
      body: VerifyBody,
      responses: { 200: ChainReport },
      errors: ['checkpoint_not_genuine'],
      handle: ({ actor, query, body }) => verifyChain(logOf(actor, query), body.checkpoint),
    }),
    defineRoute({
      ...AUDIT,
      method: 'GET',
      path: '/api/v1/audit/checkpoint',
      summary: 'How far the hash chain has come, signed, to be kept outside',
      query: ScopeQuery,
      responses: { 200: Checkpoint },
      handle: ({ actor, query }) => readCheckpoint(deps, actor, query),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/v1/audit/checkpoint-keys',
      permission: 'public',
      tag: 'Audit logs',
      summary: 'The keys that verify checkpoints, as a JSON Web Key set',
      responses: { 200: CheckpointKeys },
      handle: async () => ({ keys: [publicKey(deps.keys)] }),
    }),
  ]
}
