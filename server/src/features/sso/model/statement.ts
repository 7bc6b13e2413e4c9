import type { Check } from '../../../protocols/id-token/index.js'
import type { MappedAttributes } from '../linking/map-attributes.js'
import type { RecordedAttributes, SamlName } from '../tables.js'

/** A verified statement of a provider about a user, in either protocol. */
export interface Statement extends Pick<MappedAttributes, 'email' | 'profile' | 'groups'> {
  subject: string
  /** The provider's name for its own session: `sid` or SessionIndex. */
  sessionIndex: string | null
  /** SAML: the NameID as received, for the sign-out. */
  samlName?: SamlName | undefined
  /** Whether the provider states that the email address belongs to the user. */
  emailVerified: 'yes' | 'no' | 'unstated'
  /** When the user authenticated at the provider, in milliseconds; undefined if the provider does not state it. */
  authenticatedAt: number | undefined
  /** Whether the provider states that it verified a second factor. */
  secondFactor: boolean
}

/** The checks and attributes of a sign-in, for the sign-in log. */
export interface Report {
  checks: Check[]
  attributes: RecordedAttributes
}
