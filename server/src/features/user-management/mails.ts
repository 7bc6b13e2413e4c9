import { defineMail } from '../../platform/mail/letter.js'
import { UNVERIFIED_SENDER } from '../../platform/mail/quoted-team.js'
import { ONE_TIME_TOKENS } from '../sessions/index.js'

export const welcomeMail = defineMail<{ url: string; team: string; by: string | null }>(
  'welcome',
  ONE_TIME_TOKENS.welcome,
  ({ url, team, by }, { name }) => ({
    // No text of a team or user: a subject is read before anything says where it comes from.
    subject: `You were added to a team on ${name}`,
    heading: 'You were added to a team',
    paragraphs: [
      `${by ?? UNVERIFIED_SENDER} added you to the team ${team} on ${name}. Use this link to sign in. It works once, for the next 7 days.`,
      'Is it too old? Ask for a new one on the sign-in page, under "Email me a link".',
    ],
    action: { label: 'Sign in', url },
    notes: [
      'If you do not know the team, you can ignore this mail: until you use the link, nothing of an account that you have changes.',
      'Never pass the link on: whoever opens it is signed in as you.',
    ],
  }),
)

export const passwordGivenMail = defineMail<{ team: string; when: string; url: string }>(
  'password_given',
  null,
  ({ team, when, url }, { name }) => ({
    subject: `Your password for ${name} was changed`,
    heading: 'You were given a temporary password',
    paragraphs: [
      `An administrator of ${team} gave your account a temporary password on ${when}. The one before no longer works, and all your devices were signed out.`,
      'The administrator tells you the password; you choose one of your own when you sign in with it, within 7 days.',
    ],
    action: { label: 'You did not ask for this? Choose a new password', url },
    notes: ['The new password is in no mail of ours.'],
  }),
)

export const addressGivenMail = defineMail<{ to: string }>('address_given', null, ({ to }, { name }) => ({
  subject: `Your address for ${name} was changed`,
  heading: 'You sign in with another address now',
  paragraphs: [
    `The directory of your organization says that your address is ${to}. From now on you sign in with it; this one no longer opens the account.`,
    'Is that wrong? Only whoever administers the directory of your organization can change it back.',
  ],
  notes: ['Links that were sent to this address before no longer work.'],
}))

export const automationEndedMail = defineMail<{ team: string; ended: string }>(
  'automation_ended',
  null,
  ({ team, ended }, { name }) => ({
    // No name of a team or user: a subject is read before the sender is.
    subject: `Tokens or connections of a team stopped working on ${name}`,
    heading: 'Tokens or connections stopped working',
    paragraphs: [
      `A member of the team ${team} was suspended or left it. Everything that acted with the permissions of this member has stopped: ${ended}.`,
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
    notes: ['The audit log of the team names the member. You get this mail because you are an owner of the team.'],
  }),
)

export const USER_MAILS = [welcomeMail, passwordGivenMail, addressGivenMail, automationEndedMail, automationReducedMail]
