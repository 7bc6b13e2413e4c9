import { HOUR, MINUTE } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { TeamId } from '../../platform/ids.js'
import { defineMail } from '../../platform/mail/mail-kind.js'
import { causeOfSession } from '../../platform/mail/mailer.js'
import { ONE_TIME_TOKENS } from '../sessions/index.js'
import type { AccountDeps } from './deps.js'

const MAGIC_LINK_MINUTES = ONE_TIME_TOKENS.magic_link / MINUTE

const ignore = 'If you did not request this, you can ignore this email: nothing changes.'

export const magicLinkMail = defineMail<{ url: string }>(
  'magic_link',
  ONE_TIME_TOKENS.magic_link,
  ({ url }, { name }) => ({
    subject: `Sign in to ${name}`,
    heading: `Sign in to ${name}`,
    paragraphs: [`Use this link to sign in. It works once, for the next ${MAGIC_LINK_MINUTES} minutes.`],
    action: { label: 'Sign in', url },
    notes: [ignore, 'Never forward the link: anyone who opens it is signed in as you.'],
  }),
)

export const onboardingMail = defineMail<{ url: string }>(
  'onboarding',
  ONE_TIME_TOKENS.magic_link,
  ({ url }, { name }) => ({
    subject: `You are now an administrator of ${name}`,
    heading: `Welcome to ${name}`,
    paragraphs: [
      `You are the first administrator of this instance. Use this link to sign in; it works once, for the next ${MAGIC_LINK_MINUTES} minutes.`,
      'If the link has expired, request a new one on the sign-in page with "Email me a sign-in link".',
    ],
    action: { label: 'Sign in as administrator', url },
    notes: ['Never forward the link: anyone who opens it is signed in as you.'],
  }),
)

export const passwordResetMail = defineMail<{ url: string }>(
  'password_reset',
  ONE_TIME_TOKENS.password_reset,
  ({ url }, { name }) => ({
    subject: `Choose a new password for ${name}`,
    heading: 'Choose a new password',
    paragraphs: [
      `Use this link to choose a new password. It works once, for the next ${ONE_TIME_TOKENS.password_reset / MINUTE} minutes, and signs out every device.`,
    ],
    action: { label: 'Choose a new password', url },
    notes: [ignore],
  }),
)

export const verifyEmailMail = defineMail<{ url: string; email: string }>(
  'verify_email',
  ONE_TIME_TOKENS.verify_email,
  ({ url, email }, { name }) => ({
    subject: `Confirm your email address for ${name}`,
    heading: 'Confirm your email address',
    paragraphs: [
      `An account at ${name} was created with the email address ${email}. Confirm that the address is yours; the link works for ${ONE_TIME_TOKENS.verify_email / HOUR} hours.`,
    ],
    action: { label: 'Confirm email address', url },
    notes: [
      'If you did not create this account, open the link and choose "This was not me": the account is deleted and your email address is free again.',
    ],
  }),
)

const passwordChangedMail = defineMail<{ when: string; ip: string | null; url: string }>(
  'password_changed',
  null,
  ({ when, ip, url }, { name }) => ({
    subject: `Your password for ${name} was changed`,
    heading: 'Your password was changed',
    paragraphs: [
      `The password of your account was changed on ${when}${ip ? ` from the IP address ${ip}` : ''}. Other devices were signed out.`,
    ],
    action: { label: 'It was not me: choose a new password', url },
    notes: ['If it was you, no action is needed.'],
  }),
)

export const changeEmailMail = defineMail<{ url: string; from: string; to: string }>(
  'change_email',
  ONE_TIME_TOKENS.change_email,
  ({ url, from, to }, { name }) => ({
    subject: `Confirm your new email address for ${name}`,
    heading: 'Confirm your new email address',
    paragraphs: [
      `A change of the email address from ${from} to ${to} was requested at ${name}. Confirm it in a browser where you are signed in; the link works once, for the next ${ONE_TIME_TOKENS.change_email / HOUR} hours.`,
    ],
    action: { label: 'Confirm new email address', url },
    notes: [ignore],
  }),
)

export const emailInUseMail = defineMail<{ url: string }>('address_in_use', null, ({ url }, { name }) => ({
  subject: `Your email address already has an account at ${name}`,
  heading: 'This email address already has an account',
  paragraphs: [
    `A user of another account at ${name} requested a change to this email address. The email address already has an account, so nothing was changed.`,
    'If it was you, sign in with this email address.',
  ],
  action: { label: 'Sign in', url },
  notes: ['If it was not you, no action is needed.'],
}))

export const emailChangeRequestedMail = defineMail<{ to: string; url: string }>(
  'email_change_asked',
  null,
  ({ to, url }, { name }) => ({
    subject: `A new email address was requested at ${name}`,
    heading: 'A new email address was requested',
    paragraphs: [`The email address of your account at ${name} changes to ${to} once it is confirmed there.`],
    action: { label: 'It was not me: choose a new password', url },
    notes: ['If it was you, use the link in the email to the new email address.'],
  }),
)

export const emailChangedMail = defineMail<{ to: string; ip: string | null }>(
  'email_changed',
  null,
  ({ to, ip }, { name }) => ({
    subject: `Your email address for ${name} was changed`,
    heading: 'Your email address was changed',
    paragraphs: [
      `The email address of your account at ${name} is now ${to}; it was confirmed there${ip ? ` from the IP address ${ip}` : ''}. Links that were sent to this address no longer work.`,
    ],
    notes: ['If it was not you, contact the administrators of your team immediately.'],
  }),
)

export const deletionRequestedMail = defineMail<{ when: string; ip: string | null; url: string }>(
  'deletion_requested',
  null,
  ({ when, ip, url }, { name }) => ({
    subject: `Your account at ${name} will be deleted`,
    heading: 'Your account will be deleted',
    paragraphs: [
      `The deletion of your account at ${name} was requested${ip ? ` from the IP address ${ip}` : ''}. Your account is deleted on ${when}. You are signed out on all devices.`,
      'To cancel the deletion, sign in before that time.',
    ],
    action: { label: 'Sign in and keep the account', url },
    notes: ['If it was not you, sign in and choose a new password: the requester was signed in to your account.'],
  }),
)

export const deletionPostponedMail = defineMail<{ when: string; teams: string; url: string }>(
  'deletion_postponed',
  null,
  ({ when, teams, url }, { name }) => ({
    subject: `The deletion of your account at ${name} was postponed`,
    heading: 'The deletion was postponed',
    paragraphs: [
      `You have become the last owner of ${teams}. The deletion of your account takes effect on ${when} instead. Until then, these teams can get another owner.`,
      'If you sign in, the deletion is canceled. You can then make another member an owner, or delete the team, and request the deletion again.',
    ],
    action: { label: 'Sign in and keep the account', url },
    notes: [
      'Without another owner by then, the longest-standing administrator of a team becomes its owner. The team that administers the instance needs another owner in any case.',
    ],
  }),
)

export const accountDeletedMail = defineMail('account_deleted', null, (_values, { name }) => ({
  subject: `Your account at ${name} was deleted`,
  heading: 'Your account was deleted',
  paragraphs: [
    `Your account at ${name} was deleted, as you requested. You can register again with this email address.`,
  ],
  notes: ['No action is needed.'],
}))

export const ACCOUNT_MAILS = [
  magicLinkMail,
  onboardingMail,
  passwordResetMail,
  verifyEmailMail,
  passwordChangedMail,
  changeEmailMail,
  emailInUseMail,
  emailChangeRequestedMail,
  emailChangedMail,
  deletionRequestedMail,
  deletionPostponedMail,
  accountDeletedMail,
]

/**
 * Notifies the user of a password change by mail. Runs in the caller's transaction.
 * @param causedBy the team to which the changing session is restricted; its mails have a separate limit
 */
export async function sendPasswordChanged(
  tx: Transaction,
  { clock, config, mailer }: AccountDeps,
  email: string,
  origin: RequestOrigin,
  causedBy: TeamId | null = null,
): Promise<void> {
  const cause = causeOfSession(causedBy)
  if (!(await mailer.maySend(tx, passwordChangedMail, email, cause))) return
  const when = `${clock.now().toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const values = { when, ip: origin.ip, url: `${config.frontendUrl}/forgot-password` }
  await mailer.send(tx, passwordChangedMail, email, values, cause)
}
