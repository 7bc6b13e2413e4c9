import type { Transaction } from '../../platform/db/database.js'
import type { RequestOrigin, SessionActor } from '../../platform/http/actor.js'
import { defineMail } from '../../platform/mail/mail-kind.js'
import { causeOfSession, type MailCause } from '../../platform/mail/mailer.js'
import { quotedTeam } from '../../platform/mail/quoted-team.js'
import { findOrganization } from '../teams/index.js'
import type { User } from '../users/index.js'
import type { FactorDeps } from './deps.js'

/** `what`: the quoted name of the factor, or the team that made the change; undefined if a team may have chosen the name. */
const MESSAGES = {
  added: (what?: string) => ({
    subject: 'A second factor was added',
    text: `${what ?? 'The new factor'} can now be used to sign in to your account.`,
  }),
  removed: (what?: string) => ({
    subject: 'A second factor was removed',
    text: `${what ?? 'The factor'} no longer works for your account.`,
  }),
  disabled: () => ({
    subject: 'Two-step verification was turned off',
    text: 'All second factors of your account were removed, including its backup codes.',
  }),
  codes_renewed: () => ({
    subject: 'New backup codes were created',
    text: 'Your account has new backup codes. Earlier ones no longer work.',
  }),
  adaptive_on: () => ({
    subject: 'Your second factor is required less often',
    text: 'Your account now requires its second factor only for unusual sign-ins.',
  }),
  adaptive_off: () => ({
    subject: 'Your second factor is required at every sign-in',
    text: 'Your account now requires its second factor at every sign-in again.',
  }),
  reset_by_admin: (what?: string) => ({
    subject: 'Your second factors were reset',
    text: `An administrator of ${what} reset your second factors for this team, so that you can enroll new ones there. Your factors for other teams did not change.`,
  }),
  cloned: (what?: string) => ({
    subject: 'A passkey may have been copied',
    text: `A sign-in with ${what ?? 'one of your passkeys'} was rejected because its usage counter was lower than before, which indicates a copy. If you cannot explain it, remove the passkey and create a new one.`,
  }),
} satisfies Record<string, (what?: string) => { subject: string; text: string }>

/** A change of the factors of an account. */
type FactorChange = keyof typeof MESSAGES

export const factorMail = defineMail<{
  change: string
  name: string | null
  /** The team to which the session was restricted. */
  team: string | null
  when: string
  ip: string | null
  url: string
}>('factor_changed', null, ({ change, name: what, team, when, ip, url }, { name }) => {
  const { subject, text } = MESSAGES[change as FactorChange](what ?? undefined)
  return {
    subject: `${subject} at ${name}`,
    heading: subject,
    paragraphs: [
      text,
      ...(team ? [`The change was made in a sign-in of the team ${team}, and applies to that team alone.`] : []),
      `Time: ${when}${ip ? `, from the IP address ${ip}` : ''}.`,
    ],
    action: { label: 'It was not me: choose a new password', url },
    notes: [
      'If it was you, no action is needed. You can sign out other devices on the page of your sessions.',
      'If it was not you, a new password alone does not remove an added factor: check your second factors afterwards, and contact the administrators of your team if you cannot sign in.',
    ],
  }
})

/**
 * Notifies the owner of a change by mail. For a change in a restricted session the mail names the team and not the factor, because the team
 * may have chosen that name. Runs in the caller's transaction.
 * @param cause the team that made the change or to which the session is restricted; its mails have a separate limit
 */
export async function sendFactorMail(
  tx: Transaction,
  { clock, config, mailer, verifiedDomains }: Pick<FactorDeps, 'clock' | 'config' | 'mailer' | 'verifiedDomains'>,
  email: string,
  origin: RequestOrigin,
  { change, name, cause }: { change: FactorChange; name?: string; cause: MailCause | null },
): Promise<void> {
  if (!(await mailer.maySend(tx, factorMail, email, cause))) return
  const when = `${clock.now().toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const isByTeam = cause !== null && change !== 'reset_by_admin'
  const team = isByTeam
    ? quotedTeam(
        (await findOrganization(tx, cause.teamId)).name,
        await verifiedDomains.domainOfTeam(tx, cause.teamId, email),
      )
    : null
  const shown = change === 'reset_by_admin' ? name : name && `"${name}"`
  const values = {
    change,
    name: isByTeam ? null : (shown ?? null),
    team,
    when,
    ip: origin.ip,
    url: `${config.frontendUrl}/forgot-password`,
  }
  await mailer.send(tx, factorMail, email, values, cause)
}

/** Notifies the user of a change that they made in their session, like `sendFactorMail`. Runs in the caller's transaction. */
export const sendOwnFactorMail = (
  tx: Transaction,
  deps: FactorDeps,
  { origin, restrictedToTeam }: SessionActor,
  { email }: Pick<User, 'email'>,
  change: FactorChange,
  name?: string,
): Promise<void> =>
  sendFactorMail(tx, deps, email, origin, { change, cause: causeOfSession(restrictedToTeam), ...(name && { name }) })
