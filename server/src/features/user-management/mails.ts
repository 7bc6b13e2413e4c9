import { DAY } from '../../platform/clock.js'
import { defineMail } from '../../platform/mail/mail-kind.js'
import { UNVERIFIED_SENDER } from '../../platform/mail/quoted-team.js'
import { TEMPORARY_PASSWORD_LIFETIME } from '../passwords/index.js'
import { ONE_TIME_TOKENS } from '../sessions/index.js'

export const welcomeMail = defineMail<{ url: string; team: string; by: string | null }>(
  'welcome',
  ONE_TIME_TOKENS.welcome,
  ({ url, team, by }, { name }) => ({
    // The subject contains no value that a team or user chooses: it is read before the sender is known.
    subject: `You were added to a team on ${name}`,
    heading: 'You were added to a team',
    paragraphs: [
      `${by ?? UNVERIFIED_SENDER} added you to the team ${team} on ${name}. Use this link to sign in. It works once, for the next ${ONE_TIME_TOKENS.welcome / DAY} days.`,
      'Has it expired? Request a new one on the sign-in page, under "Email me a link".',
    ],
    action: { label: 'Sign in', url },
    notes: [
      'If you do not know the team, you can ignore this mail: until you use the link, an existing account of yours does not change.',
      'Never forward the link: anyone who opens it is signed in as you.',
    ],
  }),
)

export const temporaryPasswordMail = defineMail<{ team: string; when: string; url: string }>(
  'password_given',
  null,
  ({ team, when, url }, { name }) => ({
    subject: `Your password for ${name} was changed`,
    heading: 'You were given a temporary password',
    paragraphs: [
      `An administrator of ${team} gave your account a temporary password on ${when}. The previous one no longer works, and all your devices were signed out.`,
      `The administrator gives you the password. Choose your own when you sign in with it, within ${TEMPORARY_PASSWORD_LIFETIME / DAY} days.`,
    ],
    action: { label: 'Was this not expected? Choose a new password', url },
    notes: ['We never send the new password by email.'],
  }),
)

export const emailChangedMail = defineMail<{ to: string }>('address_given', null, ({ to }, { name }) => ({
  subject: `Your email address for ${name} was changed`,
  heading: 'You now sign in with another email address',
  paragraphs: [
    `Your team's directory changed your email address to ${to}. Sign in with it from now on; this one no longer works.`,
    "Is that wrong? Contact the administrator of your team's directory.",
  ],
  notes: ['Links that were previously sent to this address no longer work.'],
}))

export const automationEndedMail = defineMail<{ team: string; ended: string }>(
  'automation_ended',
  null,
  ({ team, ended }, { name }) => ({
    // The subject contains no value that a team or user chooses.
    subject: `Tokens or connections of a team stopped working on ${name}`,
    heading: 'Tokens or connections stopped working',
    paragraphs: [
      `A member of the team ${team} was suspended or locked down, or left it. The following acted with this member's permissions and has stopped: ${ended}.`,
      'To use it again, create new tokens, and save the providers, the directory and the applications again: they then act with your permissions. If the member returns, it does not start again.',
    ],
    notes: ['The audit log of the team names the member. You get this mail because you are an owner of the team.'],
  }),
)

export const automationReducedMail = defineMail<{ team: string; automation: string }>(
  'automation_reduced',
  null,
  ({ team, automation }, { name }) => ({
    // No name of a team or user: a subject is read before the sender is.
    subject: `Tokens or connections of a team lost permissions on ${name}`,
    heading: 'Tokens or connections lost permissions',
    paragraphs: [
      `A member of the team ${team} was given a role with fewer permissions. Everything that acts with the permissions of this member lost the same permissions: ${automation}.`,
      'To restore access, create new tokens, and save the providers, the directory and the applications again: they then act with your permissions.',
    ],
    notes: ['The audit log of the team names the member. You receive this email because you are an owner of the team.'],
  }),
)

export const USER_MAILS = [
  welcomeMail,
  temporaryPasswordMail,
  emailChangedMail,
  automationEndedMail,
  automationReducedMail,
]
