import { defineMail } from '../../platform/mail/letter.js'
import { ONE_TIME_TOKENS } from '../sessions/index.js'

const ignore = 'If you did not ask for this, you can ignore this mail: nothing changes.'

export const magicLinkMail = defineMail<{ url: string }>(
  'magic_link',
  ONE_TIME_TOKENS.magic_link,
  ({ url }, { name }) => ({
    subject: `Sign in to ${name}`,
    heading: `Sign in to ${name}`,
    paragraphs: ['Use this link to sign in. It works once, for the next 15 minutes.'],
    action: { label: 'Sign in', url },
    notes: [ignore, 'Never pass the link on: whoever opens it is signed in as you.'],
  }),
)

export const onboardingMail = defineMail<{ url: string }>(
  'onboarding',
  ONE_TIME_TOKENS.magic_link,
  ({ url }, { name }) => ({
    subject: `You administer ${name} now`,
    heading: `Welcome to ${name}`,
    paragraphs: [
      'You are the first administrator of this instance. Use this link to sign in; it works once, for the next 15 minutes.',
      'Is it too old? Ask for a new one on the sign-in page, under "Email me a link".',
    ],
    action: { label: 'Sign in as administrator', url },
    notes: ['Never pass the link on: whoever opens it is signed in as you.'],
  }),
)

export const passwordResetMail = defineMail<{ url: string }>(
  'password_reset',
  ONE_TIME_TOKENS.password_reset,
  ({ url }, { name }) => ({
    subject: `Choose a new password for ${name}`,
    heading: 'Choose a new password',
    paragraphs: [
      'Use this link to choose a new password. It works once, for the next 30 minutes, and signs out every device.',
    ],
    action: { label: 'Choose a new password', url },
    notes: [ignore],
  }),
)

export const verifyEmailMail = defineMail<{ url: string; email: string }>(
  'verify_email',
  ONE_TIME_TOKENS.verify_email,
  ({ url, email }, { name }) => ({
    subject: `Confirm your address for ${name}`,
    heading: 'Confirm your address',
    paragraphs: [
      `Somebody, we hope you, made an account at ${name} with the address ${email}. Confirm that it is yours; the link works for 24 hours.`,
    ],
    action: { label: 'Confirm the address', url },
    notes: [
      'If you did not make this account, open the link and choose "This was not me": the account is deleted and your address is free again.',
    ],
  }),
)

export const passwordChangedMail = defineMail<{ when: string; ip: string | null; url: string }>(
  'password_changed',
  null,
  ({ when, ip, url }, { name }) => ({
    subject: `Your password for ${name} was changed`,
    heading: 'Your password was changed',
    paragraphs: [
      `The password of your account was changed on ${when}${ip ? ` from the address ${ip}` : ''}. Other devices were signed out.`,
    ],
    action: { label: 'It was not me: choose a new password', url },
    notes: ['If it was you, there is nothing to do.'],
  }),
)

export const changeEmailMail = defineMail<{ url: string; from: string; to: string }>(
  'change_email',
  ONE_TIME_TOKENS.change_email,
  ({ url, from, to }, { name }) => ({
    subject: `Confirm your new address for ${name}`,
    heading: 'Confirm your new address',
    paragraphs: [
      `The account of ${from} at ${name} is to have the address ${to}. Confirm it where you are signed in; the link works once, for the next 24 hours.`,
    ],
    action: { label: 'Confirm the new address', url },
    notes: [ignore],
  }),
)

export const addressInUseMail = defineMail<{ url: string }>('address_in_use', null, ({ url }, { name }) => ({
  subject: `Your address has an account at ${name} already`,
  heading: 'This address has an account already',
  paragraphs: [
    `Somebody who is signed in to another account at ${name} wanted to give it this address. It has an account of its own, so nothing was changed.`,
    'If that was you: sign in with this address.',
  ],
  action: { label: 'Sign in', url },
  notes: ['If it was not you, there is nothing to do.'],
}))

export const emailChangeRequestedMail = defineMail<{ to: string; url: string }>(
  'email_change_asked',
  null,
  ({ to, url }, { name }) => ({
    subject: `A new address was asked for at ${name}`,
    heading: 'A new address was asked for',
    paragraphs: [`Your account at ${name} is to have the address ${to} from the moment that it is confirmed there.`],
    action: { label: 'It was not me: choose a new password', url },
    notes: ['If it was you, there is nothing to do here: use the link in the mail to the new address.'],
  }),
)

export const emailChangedMail = defineMail<{ to: string; ip: string | null }>(
  'email_changed',
  null,
  ({ to, ip }, { name }) => ({
    subject: `Your address for ${name} was changed`,
    heading: 'Your address was changed',
    paragraphs: [
      `Your account at ${name} has the address ${to} now; it was confirmed there${ip ? ` from the address ${ip}` : ''}. Mail of ${name} goes there, and links that were sent here no longer work.`,
    ],
    notes: ['If this was not you, tell the administrators of your team at once.'],
  }),
)

export const ACCOUNT_MAILS = [
  magicLinkMail,
  onboardingMail,
  passwordResetMail,
  verifyEmailMail,
  passwordChangedMail,
  changeEmailMail,
  addressInUseMail,
  emailChangeRequestedMail,
  emailChangedMail,
]
