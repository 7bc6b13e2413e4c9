import Type from 'typebox'
import { HOUR } from '../../../platform/clock.js'
import { nullable, timestamp } from '../../../platform/http/schema-parts.js'
import { FULL_SYNC_INTERVAL } from '../model/change-marker.js'
import type { DirectoryRun, RunSummary } from '../model/run-repository.js'

export const StartSync = Type.Object({
  dryRun: Type.Optional(Type.Boolean({ description: 'Report the changes without applying them; default false' })),
  incremental: Type.Optional(
    Type.Boolean({
      description: `Read only changed entries, if a full sync with the same settings completed within the last ${FULL_SYNC_INTERVAL / HOUR} hours; default false. Scheduled syncs do this automatically`,
    }),
  ),
  confirmLeavers: Type.Optional(
    Type.Boolean({
      description:
        'Suspend users and empty groups that are no longer in the directory even if they are more than a tenth; default false',
    }),
  ),
})

const shown = {
  id: Type.String(),
  status: Type.String({ description: 'running, completed, failed or cancelled' }),
  phase: Type.String({ description: 'waiting, connecting, users, groups, members, leavers or done' }),
  dryRun: Type.Boolean(),
  mode: Type.String({ description: 'full: all entries were compared; incremental: only changed entries were read' }),
  scheduled: Type.Boolean(),
  processed: Type.Integer({ description: 'Processed entries of users and groups' }),
  total: Type.Integer({
    description: 'The number of entries of the previous run, as an estimate; 0 if unknown',
  }),
  created: Type.Integer({ description: 'New members' }),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
  suspended: Type.Integer({ description: 'Members who are no longer in the directory' }),
  groupsCreated: Type.Integer(),
  groupsUpdated: Type.Integer(),
  membersAdded: Type.Integer({ description: 'Users added to groups' }),
  membersRemoved: Type.Integer(),
  references: Type.Integer({ description: 'Referrals to other servers, which are not followed' }),
  failures: Type.Integer({ description: 'Rejected entries' }),
  error: nullable(
    Type.String({
      description:
        'Why the run failed: unreachable, timeout, tls_failed, wrong_credentials, base_not_found, size_limit, cut, refused, empty_result, leavers_unconfirmed, too_long, too_slow, incomplete, or an error code of this API',
    }),
  ),
  detail: nullable(
    Type.String({
      description: 'An explanation of the error; for a dry run, whether and why a sync would require confirmLeavers',
    }),
  ),
  startedBy: nullable(
    Type.String({ description: 'The user ID; null for a scheduled run, and if that account is gone' }),
  ),
  createdAt: timestamp(),
  finishedAt: nullable(timestamp()),
}

export const RunBody = Type.Object(
  {
    ...shown,
    failed: Type.Array(
      Type.Object({
        dn: nullable(Type.String()),
        email: nullable(Type.String()),
        code: Type.String(),
        message: Type.String(),
      }),
      { description: 'The first 100 rejected entries' },
    ),
    planned: Type.Array(Type.Object({ what: Type.String(), dn: Type.String(), name: Type.String() }), {
      description:
        'For a dry run: the first 200 changes that a sync would make: create, update, suspend, create_group, update_group, empty_group',
    }),
  },
  { $id: 'DirectoryRun' },
)

export const RunsPage = Type.Object({
  data: Type.Array(Type.Object(shown)),
  total: Type.Integer(),
  page: Type.Integer(),
  limit: Type.Integer(),
})

export const SyncBody = Type.Object({
  status: Type.String({ description: 'completed, failed, cancelled, running or already_running' }),
  runId: Type.String(),
  run: RunBody,
})

export function presentSummary(run: RunSummary) {
  const { failed: failures, ...counts } = run.counts
  return {
    id: run.id,
    status: run.status,
    phase: run.phase,
    dryRun: run.dryRun,
    mode: run.mode,
    scheduled: run.scheduled,
    total: run.total,
    ...counts,
    failures,
    error: run.error,
    detail: run.detail,
    startedBy: run.startedBy,
    createdAt: run.createdAt.toISOString(),
    finishedAt: run.finishedAt?.toISOString() ?? null,
  }
}

export const presentRun = (run: DirectoryRun) => ({
  ...presentSummary(run),
  failed: run.failures,
  planned: run.planned,
})
