import type { Transaction } from '../../platform/db/database.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import { defineMail } from '../../platform/mail/letter.js'
import type { MailCause } from '../../platform/mail/mailer.js'
import { quotedTeam } from '../../platform/mail/quoted-team.js'
import { findOrganization } from '../teams/index.js'
import type { FactorDeps } from './deps.js'

/** What happened to the factors of an account. */
export type FactorChange =
  | 'added'
  | 'removed'
  | 'disabled'
  | 'codes_renewed'
  | 'adaptive_on'
  | 'adaptive_off'
  | 'reset_by_admin'
  | 'cloned'

interface FactorChangeText {
  subject: string
  heading: string
  text: string
}

/** `what`: the factor's name in quotation marks, or the team that made the change; undefined where a team could have chosen the name. */
const TEXTS: Record<FactorChange, (what: string | undefined) => FactorChangeText> = {
  added: (what) => ({
    subject: 'A second factor was added',
    heading: 'A second factor was added',
    text: `${what ?? 'The new one'} can be used to sign in to your account from now on.`,
  }),
  removed: (what) => ({
    subject: 'A second factor was removed',
    heading: 'A second factor was removed',
    text: `${what ?? 'One of them'} no longer works for your account.`,
  }),
  disabled: () => ({
    subject: 'Two-step sign-in was turned off',
    heading: 'Two-step sign-in was turned off',
    text: 'All second factors of your account were removed, its backup codes among them.',
  }),
  codes_renewed: () => ({
    subject: 'New backup codes were made',
    heading: 'New backup codes were made',
    text: 'Your account has new backup codes; every earlier one no longer works.',
  }),
  adaptive_on: () => ({
    subject: 'Your second factor is asked for less often',
    heading: 'Your second factor is asked for less often',
    text: 'From now on your account asks for its second factor only where a sign-in looks unusual.',
  }),
  adaptive_off: () => ({
    subject: 'Your second factor is asked for at every sign-in',
    heading: 'Your second factor is asked for at every sign-in',
    text: 'Your account asks for its second factor at every sign-in again.',
  }),
  reset_by_admin: (what) => ({
    subject: 'Your second factors were reset',
    heading: 'Your second factors were reset',
    text: `An administrator of ${what} reset your second factors for this team, so that you can enroll new ones there. Nothing changed for other teams.`,
  }),
  cloned: (what) => ({
    subject: 'A passkey may have been copied',
    heading: 'A passkey may have been copied',
    text: `A sign-in with ${what ?? 'a passkey of yours'} was refused: it counts how often it was used, and counted less than before, as a copy of it would. If you cannot explain it, remove the passkey and make a new one.`,
  }),
}

export const factorMail = defineMail<{
  change: string
  name: string | null
  /** The team to which the session was restricted. */
  team: string | null
  when: string
  ip: string | null
  url: string
}>('factor_changed', null, ({ change, name: what, team, when, ip, url }, { name }) => {
  const { subject, heading, text } = TEXTS[change as FactorChange](what ?? undefined)
  return {
    subject: `${subject} at ${name}`,
    heading,
    paragraphs: [
      text,
      ...(team ? [`It was done in a sign-in of the team ${team}, and concerns that team alone.`] : []),
      `That was on ${when}${ip ? `, from the address ${ip}` : ''}.`,
    ],
    action: { label: 'It was not me: choose a new password', url },
    notes: [
      'If it was you, there is nothing to do. Other devices can be signed out on the page of your sessions.',
      'If it was not you, a new password alone does not remove what was added: look at your second factors afterwards, and ask the administrators of your team if you cannot get in.',
    ],
  }
})

/**
 * Notifies the owner, so that a change by someone else is noticed. Runs in the caller's transaction. A change in a session that is
 * restricted to a team names the team, and not the factor: the team may have chosen that name.
 * @param cause the team that made the change or to which the session is restricted: such mails do not use up those of the user
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
    ? quotedTeam((await findOrganization(tx, cause.teamId)).name, await verifiedDomains.ofTeam(tx, cause.teamId, email))
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

export const MFA_MAILS = [factorMail]
