import { type Check, shown } from '../../../protocols/id-token/index.js'
import { type AssertionSubject, NAME_ID_FORMATS } from '../../../protocols/saml/index.js'
import { normalizeEmail } from '../../users/index.js'
import { type MappedAttributes, mapAttributes } from '../linking/map-attributes.js'
import { namesTwoFactors } from '../linking/second-factor.js'
import type { Provider } from '../model/provider.js'
import type { Report, Statement } from '../model/statement.js'
import { isTrue } from '../oidc/read-claims.js'
import { samlAttributes } from '../providers/presets.js'
import { storedIndex, subjectByAttribute, subjectOf } from './saml-subject.js'

const MAX_SHOWN = 60
/** Bytes. Safely below the size limit of a database index entry. */
const MAX_SUBJECT_LENGTH = 1_024

/** Formats of a NameID that may be an email address. In other formats it may only look like one (a Kerberos name, a scoped ID). */
const ADDRESS_FORMATS: (string | undefined)[] = [NAME_ID_FORMATS.email, NAME_ID_FORMATS.unspecified, undefined]

/** Attributes with a permanent ID, for a transient NameID: SAML Subject Identifiers 3, eduPerson, and Microsoft's object ID. */
const PERMANENT_IDS = [
  'urn:oasis:names:tc:SAML:attribute:pairwise-id',
  'urn:oasis:names:tc:SAML:attribute:subject-id',
  'urn:oid:1.3.6.1.4.1.5923.1.1.1.13',
  'http://schemas.microsoft.com/identity/claims/objectidentifier',
]

/** Names under which some products send the OpenID Connect claim. */
const EMAIL_VERIFIED = ['email_verified', 'emailVerified', 'http://schemas.auth0.com/email_verified']

/** Microsoft's attribute for the authentication methods. */
const METHODS = 'http://schemas.microsoft.com/claims/authnmethodsreferences'

/**
 * Reads the user's attributes from an accepted assertion. Without a permanent ID there is no statement: the user could not be recognized
 * at the next sign-in, and an email address alone would grant access each time.
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
    nameIdFormat === NAME_ID_FORMATS.transient ? permanentId(attributes, mapped) : subjectOf(assertion, parties)
  const isUsable = subject !== undefined && Buffer.byteLength(subject) <= MAX_SUBJECT_LENGTH
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
          emailVerified: statesUnverified(attributes) ? 'no' : 'yes',
          profile: mapped.profile,
          groups: mapped.groups,
          authenticatedAt: assertion.authnInstant,
          secondFactor: namesTwoFactors(assertion.authnContext) || (attributes[METHODS] ?? []).some(namesTwoFactors),
        }
      : undefined,
    report: {
      checks: [subjectCheck(subject, isUsable), ...mapped.checks],
      attributes: {
        received: Object.fromEntries(received.slice(0, MAX_SHOWN).map(([name, value]) => [shown(name), shown(value)])),
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
      ? 'The NameID is different at each sign-in, and no attribute contains a permanent ID'
      : `The ID of the user is longer than ${MAX_SUBJECT_LENGTH} bytes`
  return { id: 'subject', status: 'failed', detail, ...(subject !== undefined && { found: shown(subject) }) }
}

/** Returns the NameID if it is an email address. */
function addressIn({ nameId, nameIdFormat }: AssertionSubject): MappedAttributes['email'] {
  if (!ADDRESS_FORMATS.includes(nameIdFormat)) return undefined
  try {
    return { address: normalizeEmail(nameId), attribute: 'NameID' }
  } catch {
    return undefined
  }
}

function permanentId(attributes: Record<string, string[]>, { profile }: MappedAttributes): string | undefined {
  if (profile.externalId !== undefined) return subjectByAttribute('externalId', profile.externalId)
  for (const name of PERMANENT_IDS) {
    const value = attributes[name]?.[0]?.trim()
    if (value) return subjectByAttribute(name, value)
  }
  return undefined
}

const statesUnverified = (attributes: Record<string, string[]>): boolean =>
  EMAIL_VERIFIED.some((name) => Object.hasOwn(attributes, name) && !(attributes[name] ?? []).every(isTrue))
