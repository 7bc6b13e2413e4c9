import Type from 'typebox'
import type { DirectoryRun, RunSummary } from './run-repository.js'

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const timestamp = Type.String({ format: 'date-time' })

export const StartSync = Type.Object({
  dryRun: Type.Optional(Type.Boolean({ description: 'Says what would change, and changes nothing; default false' })),
  incremental: Type.Optional(
    Type.Boolean({
      description:
        'Read only what has changed, by the marks that the server keeps, where everything was compared within the last 24 hours by the same settings; default false. A schedule does so by itself',
    }),
  ),
  confirmLeavers: Type.Optional(
    Type.Boolean({
      description:
        'Suspend those who are not in the directory any more, and empty the groups that are not, although they are more than a tenth; default false',
    }),
  ),
})

const shown = {
  id: Type.String(),
  status: Type.String({ description: 'running, completed, failed or cancelled' }),
  phase: Type.String({ description: 'waiting, connecting, users, groups, members, leavers or done' }),
  dryRun: Type.Boolean(),
  mode: Type.String({ description: 'full: everything was compared; incremental: what has changed was read' }),
  scheduled: Type.Boolean(),
  processed: Type.Integer({ description: 'Entries of users and groups that were looked at' }),
  total: Type.Integer({
    description: 'How many there were the last time, for the progress; 0 where that is not known',
  }),
  created: Type.Integer({ description: 'Who became a member' }),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
  suspended: Type.Integer({ description: 'Who is not in the directory any more' }),
  groupsCreated: Type.Integer(),
  groupsUpdated: Type.Integer(),
  membersAdded: Type.Integer({ description: 'How many users were put into groups' }),
  membersRemoved: Type.Integer(),
  references: Type.Integer({ description: 'References to other servers, which are not followed' }),
  failures: Type.Integer({ description: 'How many entries were refused' }),
  error: nullable(
    Type.String({
      description:
        'Why it failed as a whole: unreachable, timeout, tls_failed, wrong_credentials, base_not_found, size_limit, cut, refused, empty_result, leavers_unconfirmed, too_long, too_slow, incomplete, or the code of a refusal',
    }),
  ),
  detail: nullable(
    Type.String({
      description: 'Why it failed, in words; of a dry run whether a sync would ask for confirmLeavers, and why',
    }),
  ),
  startedBy: nullable(Type.String({ description: 'The user; null for the schedule, and when that account is gone' })),
  createdAt: timestamp,
  finishedAt: nullable(timestamp),
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
      { description: 'The first hundred entries that were refused' },
    ),
    planned: Type.Array(Type.Object({ what: Type.String(), dn: Type.String(), name: Type.String() }), {
      description:
        'Of a dry run: the first two hundred changes that it would make: create, update, suspend, create_group, update_group, empty_group',
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
