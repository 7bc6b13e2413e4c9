import { newId, writeMessage } from '../bindings/write-message.js'
import { encryptAssertion } from '../crypto/encrypt-assertion.js'
import { type SigningKey, signElement } from '../crypto/sign-element.js'
import { attributesXml, escapeXml, isWritable } from '../xml/escape-xml.js'
import { writeInstant } from '../xml/instants.js'
import { AUTHN_CONTEXTS, BEARER, NS, STATUS_CODES } from '../xml/names.js'

/** The parties of a response. */
export interface ResponseAddress {
  /** Keyward's entity ID as an identity provider. */
  issuer: string
  /** From the registration, never from a request. */
  acsUrl: string
  /** The ID of the request; undefined for an IdP-initiated sign-in. */
  inResponseTo?: string | undefined
  /** Milliseconds. */
  now: number
}

export interface ResponseOptions extends ResponseAddress {
  /** The service provider's entity ID. */
  audience: string
  nameId: { value: string; format: string }
  attributes: readonly ResponseAttribute[]
  /** When and how the user authenticated. */
  authnInstant: number
  authnContext?: string | undefined
  /** The name of the session at this service provider only. */
  sessionIndex: string
  sessionNotOnOrAfter?: number | undefined
  /** The service provider's certificate, if the assertion must be encrypted. */
  encryptTo?: string | undefined
}

export interface ResponseAttribute {
  name: string
  friendlyName?: string | undefined
  values: readonly string[]
}

/** Milliseconds for which an assertion is valid, and by which the peer's clock may be slow. */
const LIFETIME = 300_000
const BACK = 60_000

/**
 * Builds a signed response with a signed assertion (Profiles 4.1.4).
 * @throws RangeError if the NameID has a character that is not allowed in XML, because without it the NameID would identify another user;
 * or if the response exceeds 256 kB
 */
export async function buildResponse(
  options: ResponseOptions,
  key: SigningKey,
): Promise<{ xml: string; responseId: string; assertionId: string }> {
  if (!isWritable(options.nameId.value) || options.nameId.value.trim() === '')
    throw new RangeError('The NameID is empty, or has a character that is not allowed in XML')
  const assertionId = newId()
  const signed = await signElement(assertionId, (signature) => assertionXml(options, assertionId, signature), key)
  const assertion = options.encryptTo === undefined ? signed : encryptAssertion(signed, options.encryptTo)
  const status = `<samlp:Status><samlp:StatusCode Value="${STATUS_CODES.success}"/></samlp:Status>`
  return { ...(await respond(options, `${status}${assertion}`, key)), assertionId }
}

export interface ResponseStatus {
  status: string
  /** The second-level status code (Core 3.2.2.2). */
  reason?: string | undefined
  message?: string | undefined
}

/** Builds a signed error response. */
export const buildErrorResponse = (
  options: ResponseAddress & ResponseStatus,
  key: SigningKey,
): Promise<{ xml: string; responseId: string }> => respond(options, statusXml(options), key)

/** Returns a Status with StatusCode and StatusMessage. */
export function statusXml({ status, reason, message }: ResponseStatus): string {
  const inner = reason === undefined ? '' : `<samlp:StatusCode Value="${escapeXml(reason)}"/>`
  const messageXml = message === undefined ? '' : `<samlp:StatusMessage>${escapeXml(message)}</samlp:StatusMessage>`
  return `<samlp:Status><samlp:StatusCode Value="${escapeXml(status)}">${inner}</samlp:StatusCode>${messageXml}</samlp:Status>`
}

async function respond(
  { issuer, acsUrl, inResponseTo, now }: ResponseAddress,
  content: string,
  key: SigningKey,
): Promise<{ xml: string; responseId: string }> {
  const responseId = newId()
  const head = { id: responseId, now, issuer, destination: acsUrl }
  return { xml: await writeMessage('Response', head, { InResponseTo: inResponseTo }, content, key), responseId }
}

function assertionXml(options: ResponseOptions, id: string, signature: string): string {
  const { issuer, acsUrl, inResponseTo, now, audience, nameId } = options
  const until = writeInstant(now + LIFETIME)
  const confirmation = attributesXml({ InResponseTo: inResponseTo, NotOnOrAfter: until, Recipient: acsUrl })
  return (
    `<saml:Assertion xmlns:saml="${NS.assertion}"${attributesXml({ ID: id, Version: '2.0', IssueInstant: writeInstant(now) })}>` +
    `<saml:Issuer>${escapeXml(issuer)}</saml:Issuer>${signature}` +
    `<saml:Subject><saml:NameID${attributesXml({ Format: nameId.format, ...qualifiersOf(options) })}>${escapeXml(nameId.value)}</saml:NameID>` +
    `<saml:SubjectConfirmation Method="${BEARER}"><saml:SubjectConfirmationData${confirmation}/></saml:SubjectConfirmation></saml:Subject>` +
    `<saml:Conditions${attributesXml({ NotBefore: writeInstant(now - BACK), NotOnOrAfter: until })}>` +
    `<saml:AudienceRestriction><saml:Audience>${escapeXml(audience)}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
    `${statementXml(options)}${attributesStatementXml(options.attributes)}</saml:Assertion>`
  )
}

/** Persistent and transient NameIDs are qualified by the two parties (Core 8.3.7, 8.3.8). */
const qualifiersOf = ({ nameId, issuer, audience }: ResponseOptions): Record<string, string> =>
  /:(?:persistent|transient)$/.test(nameId.format) ? { NameQualifier: issuer, SPNameQualifier: audience } : {}

function statementXml({ authnInstant, authnContext, sessionIndex, sessionNotOnOrAfter }: ResponseOptions): string {
  const attributes = attributesXml({
    AuthnInstant: writeInstant(authnInstant),
    SessionIndex: sessionIndex,
    SessionNotOnOrAfter: sessionNotOnOrAfter === undefined ? undefined : writeInstant(sessionNotOnOrAfter),
  })
  const context = escapeXml(authnContext ?? AUTHN_CONTEXTS.unspecified)
  return `<saml:AuthnStatement${attributes}><saml:AuthnContext><saml:AuthnContextClassRef>${context}</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`
}

/** Values have no type, because xs:string is the default (Core 2.7.3.1.1). An attribute without values is omitted. */
function attributesStatementXml(attributes: readonly ResponseAttribute[]): string {
  const written = attributes
    .filter(({ values }) => values.length > 0)
    .map(({ name, friendlyName, values }) => {
      const head = attributesXml({ Name: name, NameFormat: nameFormatOf(name), FriendlyName: friendlyName })
      const inside = values.map((value) => `<saml:AttributeValue>${escapeXml(value)}</saml:AttributeValue>`).join('')
      return `<saml:Attribute${head}>${inside}</saml:Attribute>`
    })
  return written.length === 0 ? '' : `<saml:AttributeStatement>${written.join('')}</saml:AttributeStatement>`
}

const nameFormatOf = (name: string): string =>
  `urn:oasis:names:tc:SAML:2.0:attrname-format:${/^[a-z][a-z0-9+.-]*:/i.test(name) ? 'uri' : 'basic'}`
