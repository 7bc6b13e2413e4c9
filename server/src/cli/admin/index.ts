import { createAuthentication } from '../../features/authentication/index.js'
import { CommandError, type CommandGroup, textOption } from '../command.js'
import { withDeps } from '../open.js'
import type { Terminal } from '../terminal.js'

const withAuthentication = <T>(
  terminal: Terminal,
  act: (authentication: ReturnType<typeof createAuthentication>) => Promise<T>,
): Promise<T> => withDeps(terminal, (deps) => act(createAuthentication({ ...deps, accountData: {} })))

const VALIDITY = 'The link signs in once, within 15 minutes. A second factor of the account is still required.'

/** Administrators of the instance, for an operator who cannot use the pages. */
export const adminCommands: CommandGroup = {
  name: 'admin',
  summary: 'Appoint administrators of the instance, and sign them in',
  commands: [
    {
      name: 'create',
      summary: 'Appoint an administrator of the instance and print a sign-in link',
      description: `The first administrator gets a new team, which administers the instance; a further one becomes a super-admin of that team. ${VALIDITY}`,
      arguments: [['<email>', 'email address; the account is created if there is none']],
      options: [
        ['--team-name <name>', 'name of the team of the first administrator; default: the name of the instance'],
      ],
      failure: 'the administrator was not appointed',
      async run(terminal, input) {
        const [adminEmail = ''] = input.arguments
        const teamName = textOption(input, 'teamName')
        const { user, link, isFirst, isNewAccount } = await withAuthentication(terminal, (authentication) =>
          authentication.createAdmin({ adminEmail, teamName }),
        )
        const kind = isFirst ? 'the first administrator' : 'an administrator'
        return {
          data: { user, link, isFirst, isNewAccount },
          text: `${user.email} is ${kind} of the instance.\n\n  ${link}\n\n${VALIDITY}\n`,
        }
      },
    },
    {
      name: 'link',
      summary: 'Print a sign-in link for an administrator of the instance',
      description: `Before the first administrator is appointed, prints a new setup link if the settings allow one. ${VALIDITY}`,
      arguments: [['[email]', 'email address of the administrator; default: the only one']],
      failure: 'no administrator was selected',
      async run(terminal, input) {
        const [adminEmail] = input.arguments
        return withAuthentication(terminal, async (authentication) => {
          const created = await authentication.createAdminLink(adminEmail)
          if (!created && adminEmail !== undefined) throw noAdministrator()
          if (!created) return setupLink(await authentication.createSetupLink())
          if ('admins' in created) throw notSelected(created.admins, adminEmail)
          const { user, link } = created
          return { data: { user, link }, text: `Sign-in link for ${user.email}:\n\n  ${link}\n\n${VALIDITY}\n` }
        })
      },
    },
  ],
}

const noAdministrator = (): CommandError =>
  new CommandError('no_administrator', 'No administrator is appointed yet. Run keyward admin create <email>.')

function setupLink(hint: { link: string } | 'by_mail' | undefined) {
  if (!hint || hint === 'by_mail') throw noAdministrator()
  return {
    data: { user: null, link: hint.link },
    text: `No administrator is appointed yet. Setup link:\n\n  ${hint.link}\n\nIt is valid once, for 15 minutes.\n`,
  }
}

function notSelected(admins: string[], email: string | undefined): CommandError {
  const list = admins.map((admin) => `\n  ${admin}`).join('')
  if (admins.length === 0)
    return new CommandError('no_administrator', 'No administrator is active. Run keyward admin create <email>.')
  return email === undefined
    ? new CommandError('several_administrators', `The instance has several administrators. Name one of them:${list}`)
    : new CommandError('unknown_administrator', `${email} is not an active administrator of the instance:${list}`)
}
