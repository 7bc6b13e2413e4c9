import Type from 'typebox'
import { nullable, timestamp } from '../../../platform/http/schema-parts.js'
import type { BulkAction } from '../runs/deps.js'
import { countFailed, MAX_FAILURES } from '../runs/failures.js'
import { oneOf, USER_ROLES, UserFilterBody } from '../schema.js'
import { MAX_USERS, type ShownBulk } from './bulk-runs.js'

const ACTIONS = [
  'suspend',
  'activate',
  'add_to_group',
  'remove_from_group',
  'set_role',
  'send_password_reset',
  'reset_mfa',
  'resend_invitation',
  'end_sessions',
] as const satisfies BulkAction['name'][]

export const StartBulk = Type.Object({
  action: oneOf(ACTIONS, {
    description:
      'suspend, activate, set_role and resend_invitation require users:write; add_to_group and remove_from_group groups:members; send_password_reset, reset_mfa and end_sessions users:credentials',
  }),
  users: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: MAX_USERS, description: 'IDs of users' }),
  ),
  filter: Type.Optional(
    Type.Object(UserFilterBody.properties, {
      description: `In place of \`users\`: the users that \`GET /users\` lists with these conditions now, at most ${MAX_USERS}. Empty: all`,
    }),
  ),
  groupId: Type.Optional(Type.String({ maxLength: 100, description: 'For add_to_group and remove_from_group' })),
  role: Type.Optional(oneOf(USER_ROLES, { description: 'For set_role' })),
})

export const StartedBulk = Type.Object({
  runId: Type.String(),
  status: Type.String({ description: 'running, or queued while another run of the team is running' }),
  total: Type.Integer({ description: 'The number of users' }),
})

export const BulkRun = Type.Object(
  {
    id: Type.String(),
    action: Type.String(),
    groupId: nullable(Type.String()),
    role: nullable(Type.String()),
    status: Type.String({
      description: 'queued (while another run of the team is running), running, completed, failed or cancelled',
    }),
    total: Type.Integer(),
    processed: Type.Integer(),
    updated: Type.Integer(),
    unchanged: Type.Integer({ description: 'Users who already were in the requested state' }),
    failed: Type.Integer({ description: 'Number of users that failed, plus one if the run as a whole failed' }),
    failures: Type.Array(
      Type.Object({
        userId: nullable(Type.String({ description: 'null for the run as a whole' })),
        email: nullable(Type.String({ description: 'null if the user is not in the team' })),
        code: Type.String({ description: 'The error code that the route of the single user returns, or own_account' }),
        message: Type.String(),
      }),
      { description: `The first ${MAX_FAILURES} users that failed, and the run as a whole` },
    ),
    createdAt: timestamp(),
    finishedAt: nullable(timestamp()),
    startedBy: nullable(Type.String({ description: 'User ID; null if the account was deleted' })),
  },
  { $id: 'BulkRun' },
)

export const presentBulk = ({ run, emails }: ShownBulk) => {
  const action = run.action as BulkAction
  return {
    id: run.id,
    action: action.name,
    groupId: 'groupId' in action ? action.groupId : null,
    role: 'role' in action ? action.role : null,
    status: run.status,
    total: run.total,
    processed: run.processed,
    updated: run.updated,
    unchanged: run.unchanged,
    failed: countFailed(run),
    failures: run.failures.map(({ userId, code, message }) => ({
      userId: userId ?? null,
      email: (userId && emails.get(userId)) || null,
      code,
      message,
    })),
    createdAt: run.createdAt.toISOString(),
    finishedAt: run.finishedAt?.toISOString() ?? null,
    startedBy: run.startedBy,
  }
}
