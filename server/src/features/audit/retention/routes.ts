import type { Envelope } from '../../../platform/crypto/envelope.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { Message } from '../../../platform/http/schema-parts.js'
import { fileOf } from '../../../platform/http/streamed-response.js'
import { EntryParams, ScopeQuery } from '../schema.js'
import type { RetentionDeps } from './archive-entries.js'
import { changeRetention, deleteArchive, downloadArchive, listArchives, readRetention } from './manage-retention.js'
import { Archives, presentArchive, presentRetention, RetentionBody, RetentionSetting } from './schema.js'

const TAG = { tag: 'Audit logs', query: ScopeQuery } as const

export const retentionRoutes = (deps: RetentionDeps & { envelope: Envelope }): Route[] => [
  defineRoute({
    ...TAG,
    method: 'GET',
    path: '/api/v1/audit/retention',
    permission: 'audit:read',
    summary: 'Get how long audit entries are kept in the log',
    responses: { 200: RetentionSetting },
    handle: async ({ actor, query }) => presentRetention(await readRetention(deps, actor, query)),
  }),
  defineRoute({
    ...TAG,
    method: 'PUT',
    path: '/api/v1/audit/retention',
    permission: 'org:update',
    summary: 'Set how long audit entries are kept in the log',
    description:
      'Older entries are moved into archives together with their seals, once in 30 days or as soon as they fill one. The rest of the log can still be verified, and so can each archive. The removal is recorded in the log of the instance.',
    body: RetentionBody,
    responses: { 200: RetentionSetting },
    handle: async ({ actor, query, body }) => presentRetention(await changeRetention(deps, actor, query, body.days)),
  }),
  defineRoute({
    ...TAG,
    method: 'GET',
    path: '/api/v1/audit/archives',
    permission: 'audit:read',
    summary: 'List the archives of removed audit entries, newest first',
    responses: { 200: Archives },
    handle: async ({ actor, query }) => ({ data: (await listArchives(deps, actor, query)).map(presentArchive) }),
  }),
  defineRoute({
    ...TAG,
    method: 'GET',
    path: '/api/v1/audit/archives/:id',
    permission: 'audit:read',
    summary: 'Download an archive',
    description:
      'A signed export (NDJSON), which `keyward audit verify` verifies without the service. Contains the keys of personal data that was not erased.',
    params: EntryParams,
    responses: { 200: fileOf(['application/x-ndjson'], 'The file') },
    errors: ['audit_archive_not_found'],
    handle: ({ actor, query, params }) => downloadArchive(deps, actor, query, params.id),
  }),
  defineRoute({
    ...TAG,
    method: 'DELETE',
    path: '/api/v1/audit/archives/:id',
    permission: 'org:update',
    summary: 'Delete an archive, which cannot be restored',
    params: EntryParams,
    responses: { 200: Message },
    errors: ['audit_archive_not_found'],
    handle: async ({ actor, query, params }) => {
      await deleteArchive(deps, actor, query, params.id)
      return { message: 'Archive deleted' }
    },
  }),
]
