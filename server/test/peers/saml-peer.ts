import { createCipheriv, createHmac, type KeyObject, publicEncrypt, randomBytes, sign } from 'node:crypto'
import { digestOf } from '../../src/protocols/saml/crypto/signature-algorithms.js'
import { makeCertificate, type ResponseExpectations, type SigningKey } from '../../src/protocols/saml/index.js'
import { canonicalize } from '../../src/protocols/saml/xml/canonicalize.js'
import { readXml } from '../../src/protocols/saml/xml/read-xml.js'
import { elementsIn } from '../../src/protocols/saml/xml/xml-tree.js'
import { ACS, NOW, RECIPIENT, REQUEST, SP } from '../doubles/saml-written-for.js'
import { nextRsaKeyPair } from '../harness/rsa-keys.mjs'

export { ACS, NOW, REQUEST, SP }

/** A peer that creates and signs arbitrary messages: an identity provider, or an attacker. */
export const IDP = 'https://idp.example/metadata'
export const USER = 'user@example.com'
export const VICTIM = 'admin@victim.example'

export function newSigningKey(commonName: string, pool = 'saml-peer'): SigningKey {
  const { privateKey } = nextRsaKeyPair(pool)
  const year = 365 * 86_400_000
  return {
    privateKey,
    certificate: makeCertificate({ privateKey, commonName, from: new Date(NOW - year), until: new Date(NOW + year) }),
  }
}

// A separate pool, because this module is loaded once for several test files, each of which takes keys from the start of its pools.
export const idpKey = newSigningKey('idp.example', 'saml-peer-fixed')
export const spKey = newSigningKey('sp.example', 'saml-peer-fixed')
export const attackerKey = newSigningKey('idp.example', 'saml-peer-fixed')

export const expectations = (changes: Partial<ResponseExpectations> = {}): ResponseExpectations => ({
  now: NOW,
  idpEntityId: IDP,
  certificates: [idpKey.certificate],
  spEntityId: SP,
  acsUrl: ACS,
  inResponseTo: [REQUEST],
  require: 'any',
  decryptionKeys: [spKey.privateKey],
  ...changes,
})

export const at = (seconds: number): string => new Date(NOW + seconds * 1_000).toISOString()

/** The parts of a response; the defaults are valid. */
export interface Parts {
  version: string
  status: string
  responseIssuer: string
  destination: string
  responseTo: string
  assertionId: string
  issuer: string
  issueInstant: string
  subject: string
  nameId: string
  method: string
  confirmationTo: string
  notOnOrAfter: string
  confirmationNotBefore: string
  recipient: string
  conditions: string
  notBefore: string
  end: string
  audience: string
  statement: string
  authnInstant: string
  sessionEnd: string
  attributes: string
  /** Places for an attacker's content. */
  beforeStatus: string
  afterAssertion: string
}

const attr = (name: string, value: string): string => (value === '' ? '' : ` ${name}="${value}"`)

export function responseXml(changes: Partial<Parts> = {}): string {
  const p: Parts = {
    version: '2.0',
    status: '<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/>',
    responseIssuer: IDP,
    destination: ACS,
    responseTo: REQUEST,
    assertionId: '_assertion-1',
    issuer: IDP,
    issueInstant: at(0),
    subject: '',
    nameId: `<saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">${USER}</saml:NameID>`,
    method: 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
    confirmationTo: REQUEST,
    notOnOrAfter: at(300),
    confirmationNotBefore: '',
    recipient: ACS,
    conditions: '',
    notBefore: at(-60),
    end: at(300),
    audience: `<saml:AudienceRestriction><saml:Audience>${SP}</saml:Audience></saml:AudienceRestriction>`,
    statement: '',
    authnInstant: at(-10),
    sessionEnd: '',
    attributes:
      '<saml:Attribute Name="urn:oid:0.9.2342.19200300.100.1.3" FriendlyName="mail"><saml:AttributeValue>user@example.com</saml:AttributeValue></saml:Attribute><saml:Attribute Name="groups"><saml:AttributeValue>staff</saml:AttributeValue><saml:AttributeValue>R&amp;D</saml:AttributeValue></saml:Attribute>',
    beforeStatus: '',
    afterAssertion: '',
    ...changes,
  }
  const data = `<saml:SubjectConfirmationData${attr('InResponseTo', p.confirmationTo)}${attr('NotOnOrAfter', p.notOnOrAfter)}${attr('NotBefore', p.confirmationNotBefore)}${attr('Recipient', p.recipient)}/>`
  const confirmation = p.method && `<saml:SubjectConfirmation Method="${p.method}">${data}</saml:SubjectConfirmation>`
  const statement =
    p.statement ||
    `<saml:AuthnStatement${attr('AuthnInstant', p.authnInstant)}${attr('SessionNotOnOrAfter', p.sessionEnd)} SessionIndex="_session-1"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`
  const assertion = `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${p.assertionId}" Version="2.0" IssueInstant="${p.issueInstant}"><saml:Issuer>${p.issuer}</saml:Issuer>${p.subject || `<saml:Subject>${p.nameId}${confirmation}</saml:Subject>`}<saml:Conditions${attr('NotBefore', p.notBefore)}${attr('NotOnOrAfter', p.end)}>${p.audience}${p.conditions}</saml:Conditions>${statement}<saml:AttributeStatement>${p.attributes}</saml:AttributeStatement></saml:Assertion>`
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_response-1" Version="${p.version}" IssueInstant="${p.issueInstant}"${attr('Destination', p.destination)}${attr('InResponseTo', p.responseTo)}><saml:Issuer>${p.responseIssuer}</saml:Issuer>${p.beforeStatus}<samlp:Status>${p.status}</samlp:Status>${assertion}${p.afterAssertion}</samlp:Response>`
}

export interface Signing {
  key: SigningKey
  algorithm: string
  digest: string
  transforms: string
  /** The PrefixList of the canonicalization. */
  inclusive: string[]
  canonicalization: string
  uri: string
  /** Changes SignedInfo before it is signed, and Signature afterwards. */
  signedInfo: (xml: string) => string
  signature: (xml: string) => string
  hmacKey: string | undefined
}

const C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const DSIG = 'http://www.w3.org/2000/09/xmldsig#'
const transformsXml = (prefixes: readonly string[] = []): string =>
  `<ds:Transform Algorithm="${DSIG}enveloped-signature"/><ds:Transform Algorithm="${C14N}">${prefixes.length > 0 ? `<ec:InclusiveNamespaces xmlns:ec="${C14N}" PrefixList="${prefixes.join(' ')}"/>` : ''}</ds:Transform>`
export const TRANSFORMS = transformsXml()
export const SHA1 = { algorithm: `${DSIG}rsa-sha1`, digest: `${DSIG}sha1` }

/** Signs the response or the assertion of `responseXml` by hand: correctly, or in a way that must be rejected. */
export function signXml(xml: string, name: 'Response' | 'Assertion', changes: Partial<Signing> = {}): string {
  const s: Signing = {
    key: idpKey,
    algorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    digest: 'http://www.w3.org/2001/04/xmlenc#sha256',
    inclusive: [],
    transforms: transformsXml(changes.inclusive),
    canonicalization: `<ds:CanonicalizationMethod Algorithm="${C14N}"/>`,
    uri: name === 'Response' ? '#_response-1' : '#_assertion-1',
    signedInfo: (text) => text,
    signature: (text) => text,
    hmacKey: undefined,
    ...changes,
  }
  const read = readXml(xml)
  const element = 'root' in read ? elementsIn(read.root).find(({ localName }) => localName === name) : undefined
  if (!element) throw new Error('There is nothing to sign')
  const hashes = (uri: string): string => /sha(\d+)$/.exec(uri)?.[1] ?? ''
  const prefixes = s.inclusive.map((prefix) => (prefix === '#default' ? '' : prefix))
  const digest = digestOf(`sha${hashes(s.digest)}`, canonicalize(element, undefined, prefixes)).toString('base64')
  const signedInfo = s.signedInfo(
    `<ds:SignedInfo xmlns:ds="${DSIG}">${s.canonicalization}<ds:SignatureMethod Algorithm="${s.algorithm}"/><ds:Reference URI="${s.uri}"><ds:Transforms>${s.transforms}</ds:Transforms><ds:DigestMethod Algorithm="${s.digest}"/><ds:DigestValue>${digest}</ds:DigestValue></ds:Reference></ds:SignedInfo>`,
  )
  const info = readXml(signedInfo)
  const input = 'root' in info ? canonicalize(info.root) : signedInfo
  const hash = `sha${hashes(s.algorithm)}`
  const value = s.hmacKey
    ? createHmac(hash, s.hmacKey).update(input).digest('base64')
    : sign(hash, Buffer.from(input), { key: s.key.privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64')
  const body = s.key.certificate.replaceAll(/-----[A-Z ]+-----|\s/g, '')
  const signature = s.signature(
    `<ds:Signature xmlns:ds="${DSIG}">${signedInfo}<ds:SignatureValue>${value}</ds:SignatureValue><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${body}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></ds:Signature>`,
  )
  const start = xml.indexOf(name === 'Response' ? '<samlp:Response' : '<saml:Assertion')
  const place = xml.indexOf('</saml:Issuer>', start) + '</saml:Issuer>'.length
  return xml.slice(0, place) + signature + xml.slice(place)
}

export const assertionOf = (xml: string): string => /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)?.[0] ?? ''

export interface Encrypting {
  key: KeyObject
  content: string
  transport: string
  parameters: string
  hash: 'sha1' | 'sha256' | 'sha384' | 'sha512'
}

const XENC = 'http://www.w3.org/2001/04/xmlenc#'

/** Returns the XML with its assertion encrypted by hand. */
export function encryptXml(xml: string, changes: Partial<Encrypting> = {}): string {
  const e: Encrypting = {
    key: RECIPIENT ?? spKey.privateKey,
    content: 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
    transport: `${XENC}rsa-oaep-mgf1p`,
    parameters: '',
    hash: 'sha1',
    ...changes,
  }
  const assertion = assertionOf(xml)
  const gcm = e.content.endsWith('gcm')
  const secret = randomBytes(e.content.includes('128') ? 16 : 32)
  const iv = randomBytes(gcm ? 12 : 16)
  const name = `aes-${secret.length * 8}-${gcm ? 'gcm' : 'cbc'}`
  const cipher = createCipheriv(name, secret, iv)
  const parts: Buffer[] = [iv, cipher.update(assertion), cipher.final()]
  if ('getAuthTag' in cipher && gcm) parts.push((cipher as { getAuthTag(): Buffer }).getAuthTag())
  const wrapped = publicEncrypt(
    e.transport.endsWith('1_5') ? { key: e.key, padding: 1 } : { key: e.key, oaepHash: e.hash },
    secret,
  )
  const value = (bytes: Buffer): string =>
    `<xenc:CipherData><xenc:CipherValue>${bytes.toString('base64')}</xenc:CipherValue></xenc:CipherData>`
  return xml.replace(
    assertion,
    () =>
      `<saml:EncryptedAssertion><xenc:EncryptedData xmlns:xenc="${XENC}" Type="${XENC}Element"><xenc:EncryptionMethod Algorithm="${e.content}"/><ds:KeyInfo xmlns:ds="${DSIG}"><xenc:EncryptedKey><xenc:EncryptionMethod Algorithm="${e.transport}">${e.parameters}</xenc:EncryptionMethod>${value(wrapped)}</xenc:EncryptedKey></ds:KeyInfo>${value(Buffer.concat(parts))}</xenc:EncryptedData></saml:EncryptedAssertion>`,
  )
}
