import { defineMail } from '../../../platform/mail/mail-kind.js'

export const certificateMail = defineMail<{
  provider: string
  team: string
  day: string
  followsMetadata: number
  url: string
}>('sso_certificate_ends', null, ({ provider, team, day, followsMetadata, url }, { name }) => ({
  subject: `A single sign-on certificate expires on ${day}`,
  heading: `The certificate of ${provider} expires on ${day}`,
  paragraphs: [
    `The team ${team} at ${name} signs in with the provider ${provider}. The certificate that verifies its responses expires on ${day}.`,
    followsMetadata
      ? 'We read the metadata of the provider every day. It does not contain a newer certificate yet. As soon as the provider publishes one, we use it, and you do not need to do anything.'
      : 'Ask the provider for its next certificate and add it next to the current one. Both are accepted while the provider changes over.',
  ],
  action: { label: 'View provider', url },
  notes: ['You receive this email because you may change the sign-in providers of the team.'],
}))

export const SSO_MAILS = [certificateMail]
