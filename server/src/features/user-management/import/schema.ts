import Type from 'typebox'
import { nullable, timestamp } from '../../../platform/http/schema-parts.js'
import { countFailed, MAX_FAILURES } from '../runs/failures.js'
import type { Run, RunSummary } from '../runs/repository.js'
import { oneOf } from '../schema.js'
import { IMPORT_COLUMNS } from './rows.js'

export const StartImport = Type.Object({
  csv: Type.String({
    minLength: 1,
    description: `RFC 4180 with a header. Columns, in any order: ${IMPORT_COLUMNS.join(', ')}; email is required. Group names are separated by semicolons. An empty cell changes nothing.`,
  }),
  dryRun: Type.Optional(Type.Boolean({ description: 'Reports the results without changing anything; default false' })),
  onboardingMethod: Type.Optional(
    oneOf(['magic_link', 'none'], { description: 'Whether new members are mailed a sign-in link; default none' }),
  ),
})
export const StartedImport = Type.Object({
  runId: Type.String(),
  status: Type.String({ description: 'running, or queued while another import of the team is running' }),
})

const shown = {
  id: Type.String(),
  status: Type.String({
    description: 'queued (while another import of the team is running), running, completed, failed or cancelled',
  }),
  dryRun: Type.Boolean(),
  total: Type.Integer(),
  processed: Type.Integer(),
  created: Type.Integer({ description: 'New members' }),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
  failed: Type.Integer({ description: 'Number of rows that failed, plus one if the run as a whole failed' }),
  createdAt: timestamp(),
  finishedAt: nullable(timestamp()),
  startedBy: nullable(Type.String({ description: 'User ID; null if the account was deleted' })),
}

export const ImportRunBody = Type.Object(
  {
    ...shown,
    failures: Type.Array(
      Type.Object({
        line: Type.Integer({ description: 'Last line of the row in the file, from 1; 0 for the run as a whole' }),
        email: Type.String(),
        code: Type.String(),
        message: Type.String(),
      }),
      { description: `The first ${MAX_FAILURES} rows that failed, and the run as a whole` },
    ),
  },
  { $id: 'ImportRun' },
)
export const ImportsPage = Type.Object({
  data: Type.Array(Type.Object(shown)),
  total: Type.Integer(),
  page: Type.Integer(),
  limit: Type.Integer(),
})

export const presentSummary = (run: RunSummary) => ({
  id: run.id,
  status: run.status,
  dryRun: run.dryRun,
  total: run.total,
  processed: run.processed,
  created: run.created,
  updated: run.updated,
  unchanged: run.unchanged,
  failed: countFailed(run),
  createdAt: run.createdAt.toISOString(),
  finishedAt: run.finishedAt?.toISOString() ?? null,
  startedBy: run.startedBy,
})

export const presentImport = (run: Run) => ({ ...presentSummary(run), failures: run.failures })
