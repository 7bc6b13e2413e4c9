import { type Check, shown } from '../../protocols/id-token/index.js'
import { type AssertionSubject, NAME_ID_FORMATS } from '../../protocols/saml/index.js'
import { normalizeEmail } from '../users/index.js'
import { type MappedAttributes, mapAttributes } from './map-attributes.js'
import { samlAttributes } from './presets.js'
import type { Provider } from './provider.js'
import { isYes } from './read-claims.js'
import { storedIndex, subjectByAttribute, subjectOf } from './saml-subject.js'
import { namesTwoFactors } from './second-factor.js'
import type { Report, Statement } from './statement.js'

const MOST_SHOWN = 60
/** Bytes: what an index of the database takes for sure. */
const LONGEST_SUBJECT = 1_024

/** A NameID that may be an address; of others one only looks like it (a Kerberos name, a scoped identifier). */
const ADDRESS_FORMATS: (string | undefined)[] = [NAME_ID_FORMATS.email, NAME_ID_FORMATS.unspecified, undefined]

/** Who somebody is for ever, where the NameID does not say: SAML Subject Identifiers 3, eduPerson, and what Microsoft sends. */
const LASTING = [
  'urn:oasis:names:tc:SAML:attribute:pairwise-id',
  'urn:oasis:names:tc:SAML:attribute:subject-id',
  'urn:oid:1.3.6.1.4.1.5923.1.1.1.13',
  'http://schemas.microsoft.com/identity/claims/objectidentifier',
]

/** Some products pass on here what OpenID Connect calls so. */
const EMAIL_VERIFIED = ['email_verified', 'emailVerified', 'http://schemas.auth0.com/email_verified']

/** Where Microsoft says how somebody proved who they are. */
const METHODS = 'http://schemas.microsoft.com/claims/authnmethodsreferences'

/**
 * What an accepted assertion says of a person. Somebody without a lasting name has no statement: then nobody could be known again, and an
 * address alone would be enough to come in, each time.
 */
export function readAssertion(
  provider: Pick<Provider, 'type' | 'samlEntityId' | 'attributeMapping'>,
  spEntityId: string,
  assertion: AssertionSubject,
): { statement: Statement | undefined; report: Report } {
  const { attributes, nameId, nameIdFormat } = assertion
  const mapped = mapAttributes(attributes, provider.attributeMapping, samlAttributes(provider.type))
  const email = mapped.email ?? addressIn(assertion)
  const parties = { idpEntityId: provider.samlEntityId ?? '', spEntityId }
  const subject =
    nameIdFormat === NAME_ID_FORMATS.transient ? lastingName(attributes, mapped) : subjectOf(assertion, parties)
  const isUsable = subject !== undefined && Buffer.byteLength(subject) <= LONGEST_SUBJECT
  const received = [
    ['NameID', nameId] as const,
    ...Object.entries(attributes).map(([name, values]) => [name, one(values)] as const),
  ]
  return {
    statement: isUsable
      ? {
          subject,
          sessionIndex: assertion.sessionIndex === undefined ? null : storedIndex(assertion.sessionIndex),
          samlName: {
            value: nameId,
            format: nameIdFormat,
            nameQualifier: assertion.nameQualifier,
            spNameQualifier: assertion.spNameQualifier,
          },
          email,
          emailVerified: saysUnverified(attributes) ? 'no' : 'yes',
          profile: mapped.profile,
          groups: mapped.groups,
          authenticatedAt: assertion.authnInstant,
          secondFactor: namesTwoFactors(assertion.authnContext) || (attributes[METHODS] ?? []).some(namesTwoFactors),
        }
      : undefined,
    report: {
      checks: [subjectCheck(subject, isUsable), ...mapped.checks],
      attributes: {
        received: Object.fromEntries(received.slice(0, MOST_SHOWN).map(([name, value]) => [shown(name), shown(value)])),
        mapped: { ...mapped.shown, ...(email && { email: shown(email.address) }) },
      },
    },
  }
}

const one = (values: string[]): unknown => (values.length === 1 ? values[0] : values)

function subjectCheck(subject: string | undefined, isUsable: boolean): Check {
  if (isUsable) return { id: 'subject', status: 'ok', found: shown(subject) }
  const detail =
    subject === undefined
      ? 'The NameID is another one at each sign-in, and no attribute names the person in a lasting way'
      : `The name of the person is longer than ${LONGEST_SUBJECT} bytes`
  return { id: 'subject', status: 'failed', detail, ...(subject !== undefined && { found: shown(subject) }) }
}

/** The NameID, if it is an address. */
function addressIn({ nameId, nameIdFormat }: AssertionSubject): MappedAttributes['email'] {
  if (!ADDRESS_FORMATS.includes(nameIdFormat)) return undefined
  try {
    return { address: normalizeEmail(nameId), attribute: 'NameID' }
  } catch {
    return undefined
  }
}

function lastingName(attributes: Record<string, string[]>, { profile }: MappedAttributes): string | undefined {
  if (profile.externalId !== undefined) return subjectByAttribute('externalId', profile.externalId)
  for (const name of LASTING) {
    const value = attributes[name]?.[0]?.trim()
    if (value) return subjectByAttribute(name, value)
  }
  return undefined
}

const saysUnverified = (attributes: Record<string, string[]>): boolean =>
  EMAIL_VERIFIED.some((name) => Object.hasOwn(attributes, name) && !(attributes[name] ?? []).every(isYes))
