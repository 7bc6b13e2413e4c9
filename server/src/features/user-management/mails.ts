import { DAY } from '../../platform/clock.js'
import { defineMail } from '../../platform/mail/mail-kind.js'
import { UNVERIFIED_SENDER } from '../../platform/mail/quoted-team.js'
import { TEMPORARY_PASSWORD_LIFETIME } from '../passwords/index.js'
import { ONE_TIME_TOKENS } from '../sessions/index.js'

// Subjects contain no value that a team or user chose, to prevent phishing.

export const welcomeMail = defineMail<{ url: string; team: string; by: string | null }>(
  'welcome',
  ONE_TIME_TOKENS.welcome,
  ({ url, team, by }, { name }) => ({
    subject: `You were added to a team on ${name}`,
    heading: 'You were added to a team',
    paragraphs: [
      `${by ?? UNVERIFIED_SENDER} added you to the team ${team} on ${name}. Use this link to sign in. It works once, for the next ${ONE_TIME_TOKENS.welcome / DAY} days.`,
      'If the link has expired, request a new one on the sign-in page with "Email me a sign-in link".',
    ],
    action: { label: 'Sign in', url },
    notes: [
      "If you do not know the team, you can ignore this email. Your account doesn't change unless you use the link.",
      'Never forward the link: anyone who opens it is signed in as you.',
    ],
  }),
)

export const temporaryPasswordMail = defineMail<{ team: string; when: string; url: string }>(
  'password_given',
  null,
  ({ team, when, url }, { name }) => ({
    subject: `A temporary password was set for you on ${name}`,
    heading: 'A temporary password was set for you',
    paragraphs: [
      `An administrator of ${team} set a temporary password for your access to that team on ${when}. You were signed out of that team on all devices, and your API tokens in it were revoked. If you sign in to other teams with your own password, it still works.`,
      `Ask the administrator for the password. It is valid for ${TEMPORARY_PASSWORD_LIFETIME / DAY} days. Change it when you sign in.`,
    ],
    action: { label: 'Choose a new password', url },
    notes: [
      'If you did not expect this, choose a new password: it replaces the temporary one.',
      'We never send passwords by email.',
    ],
  }),
)

export const emailChangedMail = defineMail<{ to: string }>('address_given', null, ({ to }, { name }) => ({
  subject: `Your email address for ${name} was changed`,
  heading: 'You now sign in with another email address',
  paragraphs: [
    `Your team's directory changed your email address to ${to}. You can no longer sign in with the previous one, which received this email.`,
    "If this is wrong, contact the administrator of your team's directory.",
  ],
  notes: ['Links that were previously sent to this address no longer work.'],
}))

export const automationEndedMail = defineMail<{ team: string; ended: string }>(
  'automation_ended',
  null,
  ({ team, ended }, { name }) => ({
    subject: `Tokens or integrations of a team stopped working on ${name}`,
    heading: 'Tokens or integrations stopped working',
    paragraphs: [
      `A member of the team ${team} was suspended, locked down or removed, or left it. These no longer work, because they used this member's permissions: ${ended}.`,
      "To restore them, create new tokens and save the providers, the directory and the applications again. They then use your permissions. They don't resume if the member returns.",
    ],
    notes: ['The audit log of the team names the member. You receive this email because you are an owner of the team.'],
  }),
)

export const automationReducedMail = defineMail<{ team: string; automation: string }>(
  'automation_reduced',
  null,
  ({ team, automation }, { name }) => ({
    subject: `Tokens or integrations of a team lost permissions on ${name}`,
    heading: 'Tokens or integrations lost permissions',
    paragraphs: [
      `A member of the team ${team} was given a role with fewer permissions. These lost the same permissions, because they use this member's permissions: ${automation}.`,
      'To restore access, create new tokens and save the providers, the directory and the applications again. They then use your permissions.',
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
