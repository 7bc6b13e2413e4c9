import type { Transaction } from '../../platform/db/database.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import { defineMail } from '../../platform/mail/letter.js'
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

const TEXTS: Record<FactorChange, (what: string) => FactorChangeText> = {
  added: (what) => ({
    subject: 'A second factor was added',
    heading: 'A second factor was added',
    text: `"${what}" can be used to sign in to your account from now on.`,
  }),
  removed: (what) => ({
    subject: 'A second factor was removed',
    heading: 'A second factor was removed',
    text: `"${what}" no longer works for your account.`,
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
    subject: 'Your second factors were removed',
    heading: 'Your second factors were removed',
    text: `An administrator of ${what} removed all second factors of your account, its backup codes among them, so that you can enrol new ones.`,
  }),
  cloned: (what) => ({
    subject: 'A passkey may have been copied',
    heading: 'A passkey may have been copied',
    text: `A sign-in with "${what}" was refused: it counts how often it was used, and counted less than before, as a copy of it would. If you cannot explain it, remove the passkey and make a new one.`,
  }),
}

export const factorMail = defineMail<{ change: string; name: string; when: string; ip: string | null; url: string }>(
  'factor_changed',
  null,
  ({ change, name: what, when, ip, url }, { name }) => {
    const { subject, heading, text } = TEXTS[change as FactorChange](what)
    return {
      subject: `${subject} at ${name}`,
      heading,
      paragraphs: [text, `That was on ${when}${ip ? `, from the address ${ip}` : ''}.`],
      action: { label: 'It was not me: choose a new password', url },
      notes: [
        'If it was you, there is nothing to do. Other devices can be signed out on the page of your sessions.',
        'If it was not you, a new password alone does not remove what was added: look at your second factors afterwards, and ask the administrators of your team if you cannot get in.',
      ],
    }
  },
)

/** A step: tells the owner, so that a change that was not theirs does not stay unseen. */
export async function sendFactorMail(
  tx: Transaction,
  { clock, config, mailer }: Pick<FactorDeps, 'clock' | 'config' | 'mailer'>,
  email: string,
  origin: RequestOrigin,
  { change, name = '' }: { change: FactorChange; name?: string },
): Promise<void> {
  if (!(await mailer.maySend(tx, factorMail, email))) return
  const when = `${clock.now().toISOString().slice(0, 16).replace('T', ' ')} UTC`
  await mailer.send(tx, factorMail, email, {
    change,
    name,
    when,
    ip: origin.ip,
    url: `${config.frontendUrl}/forgot-password`,
  })
}

export const MFA_MAILS = [factorMail]
