import type { Check } from '../../protocols/id-token/index.js'
import type { MappedAttributes } from './map-attributes.js'
import type { RecordedAttributes, SamlName } from './tables.js'

/** What a provider says of somebody, verified: the same whatever the protocol. */
export interface Statement extends Pick<MappedAttributes, 'email' | 'profile' | 'groups'> {
  subject: string
  /** The provider's name for its own session: `sid` or SessionIndex. */
  sessionIndex: string | null
  /** SAML: the NameID as it came, for the sign-out. */
  samlName?: SamlName | undefined
  /** Whether the address belongs to the person, as far as the provider says. */
  emailVerified: 'yes' | 'no' | 'unsaid'
  /** When they proved to the provider who they are, as it says, in milliseconds; undefined where it does not. */
  authenticatedAt: number | undefined
  /** The provider says that it saw a second factor. */
  secondFactor: boolean
}

/** What was looked at on the way, for the recorder. */
export interface Report {
  checks: Check[]
  attributes: RecordedAttributes
}
