import { memberError } from '../../features/members/index.js'
import { endSessionsByOperator, resetFactorsByOperator } from '../../features/user-management/index.js'
import type { Command, CommandGroup } from '../command.js'
import { withDatabase, withDeps } from '../open.js'
import { counted, table } from '../text.js'
import { type Account, readAccount } from './read-account.js'

const USER: NonNullable<Command['arguments']> = [['<user>', 'email address or ID']]
const FAILURE = 'there is no such user'

/** Help for users who cannot sign in, and after an incident. */
export const userCommands: CommandGroup = {
  name: 'user',
  summary: 'Show a user, and help one who cannot sign in',
  commands: [
    {
      name: 'show',
      summary: 'Show an account with its teams, second factors and sessions',
      arguments: USER,
      failure: FAILURE,
      async run(terminal, { arguments: [user = ''] }) {
        const account = await withDatabase(terminal, ({ db }) => readAccount(db, terminal.clock, user))
        if (!account) throw memberError('user_not_found')
        return { data: account, text: accountText(account) }
      },
    },
    {
      name: 'reset-mfa',
      summary: 'Remove all second factors of a user who lost them',
      description:
        'Removes passkeys, authenticator apps and backup codes of every team, and ends all sessions and grants. The user is notified by mail, and signs in with the password or a mailed link.',
      arguments: USER,
      failure: FAILURE,
      async run(terminal, { arguments: [user = ''] }) {
        const done = await withDeps(terminal, (deps) => resetFactorsByOperator(deps, user))
        const { factorsRemoved, sessionsEnded } = done
        return {
          data: done,
          text: `Removed ${counted(factorsRemoved, 'second factor')} of ${done.user.email}, and ended ${counted(sessionsEnded, 'session')}.\n`,
        }
      },
    },
    {
      name: 'sessions',
      summary: 'Sessions of a user',
      commands: [
        {
          name: 'end',
          summary: 'End all sessions of a user, and revoke the grants of applications',
          description: 'Access and refresh tokens of the user are rejected from the next request on, on every node.',
          arguments: USER,
          failure: FAILURE,
          async run(terminal, { arguments: [user = ''] }) {
            const done = await withDeps(terminal, (deps) => endSessionsByOperator(deps, user))
            return { data: done, text: `Ended ${counted(done.sessionsEnded, 'session')} of ${done.user.email}.\n` }
          },
        },
      ],
    },
  ],
}

function accountText(account: Account): string {
  const { id, email, emailVerified, status, hasPassword, createdAt, lastSignInAt, deletionScheduledAt } = account
  const facts = [
    ['ID', id],
    ['Email', `${email} (${emailVerified ? 'verified' : 'not verified'})`],
    ['Status', status],
    ['Password', hasPassword ? 'set' : 'none'],
    ['Created', createdAt],
    ['Last sign-in', lastSignInAt ?? 'never'],
    ...(deletionScheduledAt ? [['Deletion', deletionScheduledAt]] : []),
  ]
  const teams = account.teams.map(({ slug, role, status: state }) => [slug, role, state])
  const factors = account.factors.map(({ type, name, team }) => [type, name, team ? `only in ${team}` : ''])
  const sessions = account.sessions.map(({ team, method, ipAddress, lastSeenAt }) => [
    lastSeenAt,
    team,
    method,
    ipAddress ?? '',
  ])
  return (
    [table(facts), list('Teams', teams), list('Second factors', factors), list('Sessions', sessions)].join('\n\n') +
    '\n'
  )
}

const list = (title: string, rows: string[][]): string =>
  rows.length === 0
    ? `${title}: none`
    : `${title}:\n${table(rows.map(([first = '', ...rest]) => [`  ${first}`, ...rest]))}`
