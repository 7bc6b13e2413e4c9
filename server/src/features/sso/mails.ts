import { defineMail } from '../../platform/mail/letter.js'

export const certificateMail = defineMail<{
  provider: string
  team: string
  day: string
  followsMetadata: number
  url: string
}>('sso_certificate_ends', null, ({ provider, team, day, followsMetadata, url }, { name }) => ({
  subject: `A single sign-on certificate ends on ${day}`,
  heading: `The certificate of ${provider} ends on ${day}`,
  paragraphs: [
    `The team ${team} at ${name} signs in by the provider ${provider}. The certificate by which its answers are verified ends on ${day}.`,
    followsMetadata
      ? 'We read the metadata of the provider every day, and it has no newer certificate yet. As soon as it publishes one, it is taken, and there is nothing to do here.'
      : 'Ask the provider for its next certificate, and add it beside the present one: both are taken while the provider goes over.',
  ],
  action: { label: 'Look at the provider', url },
  notes: ['You get this mail because you may change the sign-in providers of the team.'],
}))

export const SSO_MAILS = [certificateMail]
