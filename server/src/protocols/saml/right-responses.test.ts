import { createPrivateKey } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { SignedXml } from 'xml-crypto'
import { CERTIFICATE, CERTIFIED } from '../../../test/certified-key.js'
import {
  ACS,
  at,
  attackerKey,
  encryptXml,
  expectations,
  IDP,
  idpKey,
  REQUEST,
  responseXml,
  SP,
  signXml,
} from '../../../test/saml-peer.js'
import { judgeResponse, type ResponseExpectations, readCertificate } from './index.js'

const C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const XENC = 'http://www.w3.org/2001/04/xmlenc#'

/** How a vendor's responses look: its prefixes, what it signs, and what it says of the user. */
interface Vendor {
  protocol: string
  assertion: string
  signed: ('Response' | 'Assertion')[]
  signaturePrefix?: string
  hash?: '256' | '512'
  typed?: boolean
  nameId: string
  format: string
  attributes: [name: string, friendlyName: string | undefined, values: string[]][]
}

/** Written as the vendor writes it and signed by xml-crypto, which knows nothing of us. */
function vendorXml(vendor: Vendor): string {
  const p = vendor.protocol && `${vendor.protocol}:`
  const a = vendor.assertion && `${vendor.assertion}:`
  const xmlns = (prefix: string, name: string) =>
    ` xmlns${prefix && `:${prefix}`}="urn:oasis:names:tc:SAML:2.0:${name}"`
  const typed = vendor.typed
    ? ' xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string"'
    : ''
  const attributes = vendor.attributes
    .map(
      ([name, friendly, values]) =>
        `<${a}Attribute Name="${name}"${friendly ? ` FriendlyName="${friendly}"` : ''}>${values.map((value) => `<${a}AttributeValue${typed}>${value}</${a}AttributeValue>`).join('')}</${a}Attribute>`,
    )
    .join('\n')
  const assertion = `<${a}Assertion${xmlns(vendor.assertion, 'assertion')} ID="_assertion-1" IssueInstant="${at(0)}" Version="2.0"><${a}Issuer>${IDP}</${a}Issuer><${a}Subject><${a}NameID Format="${vendor.format}">${vendor.nameId}</${a}NameID><${a}SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><${a}SubjectConfirmationData InResponseTo="${REQUEST}" NotOnOrAfter="${at(300)}" Recipient="${ACS}"/></${a}SubjectConfirmation></${a}Subject>
    <${a}Conditions NotBefore="${at(-300)}" NotOnOrAfter="${at(300)}"><${a}AudienceRestriction><${a}Audience>${SP}</${a}Audience></${a}AudienceRestriction></${a}Conditions><${a}AuthnStatement AuthnInstant="${at(-5)}" SessionIndex="_session-1"><${a}AuthnContext><${a}AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</${a}AuthnContextClassRef></${a}AuthnContext></${a}AuthnStatement>
    <${a}AttributeStatement>${attributes}</${a}AttributeStatement></${a}Assertion>`
  const response = `<?xml version="1.0" encoding="UTF-8"?>\n<${p}Response${xmlns(vendor.protocol, 'protocol')} Destination="${ACS}" ID="_response-1" InResponseTo="${REQUEST}" IssueInstant="${at(0)}" Version="2.0"><${a}Issuer${xmlns(vendor.assertion, 'assertion')} Format="urn:oasis:names:tc:SAML:2.0:nameid-format:entity">${IDP}</${a}Issuer><${p}Status><${p}StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></${p}Status>${assertion}</${p}Response>`
  return (['Assertion', 'Response'] as const)
    .filter((name) => vendor.signed.includes(name))
    .reduce((xml, name) => signedByLibrary(xml, name, vendor), response)
}

function signedByLibrary(xml: string, name: string, { hash = '256', signaturePrefix = 'ds' }: Vendor): string {
  const signer = new SignedXml({
    privateKey: idpKey.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    publicCert: idpKey.certificate,
    signatureAlgorithm: `http://www.w3.org/2001/04/xmldsig-more#rsa-sha${hash}`,
    canonicalizationAlgorithm: C14N,
  })
  const xpath = `//*[local-name(.)='${name}']`
  signer.addReference({
    xpath,
    digestAlgorithm: `${XENC}sha${hash}`,
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', C14N],
  })
  signer.computeSignature(xml, {
    location: { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' },
    ...(signaturePrefix && { prefix: signaturePrefix }),
  })
  return signer.getSignedXml()
}

const EMAIL = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'
const MAIL = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress'
const VENDORS: [name: string, vendor: Vendor][] = [
  [
    'Entra: the assertion signed, in default namespaces',
    {
      protocol: 'samlp',
      assertion: '',
      signed: ['Assertion'],
      signaturePrefix: '',
      nameId: 'ada@example.com',
      format: EMAIL,
      attributes: [
        [MAIL, undefined, ['ada@example.com']],
        ['http://schemas.microsoft.com/ws/2008/06/identity/claims/groups', undefined, ['g1', 'g2']],
      ],
    },
  ],
  [
    'Okta: both signed, typed values',
    {
      protocol: 'saml2p',
      assertion: 'saml2',
      signed: ['Assertion', 'Response'],
      typed: true,
      nameId: 'ada@example.com',
      format: EMAIL,
      attributes: [
        ['firstName', undefined, ['Ada']],
        ['groups', undefined, ['Everyone']],
      ],
    },
  ],
  [
    'Google: the response signed',
    {
      protocol: 'saml2p',
      assertion: 'saml2',
      signed: ['Response'],
      nameId: 'ada@example.com',
      format: EMAIL,
      attributes: [['department', undefined, ['R&amp;D']]],
    },
  ],
  [
    'ADFS: SHA-512, default namespaces in everything',
    {
      protocol: '',
      assertion: '',
      signed: ['Assertion', 'Response'],
      signaturePrefix: '',
      hash: '512',
      nameId: 'EXAMPLE\\ada',
      format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
      attributes: [['http://schemas.xmlsoap.org/claims/Group', undefined, ['Domain Users']]],
    },
  ],
  [
    'Shibboleth: object identifiers with friendly names',
    {
      protocol: 'samlp',
      assertion: 'saml',
      signed: ['Response'],
      nameId: 'AAdzZWNyZXQx',
      format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      attributes: [
        ['urn:oid:0.9.2342.19200300.100.1.3', 'mail', ['ada@example.com']],
        ['urn:oid:2.5.4.4', 'sn', ['Lovelace 𝒜 ]]&gt; é']],
      ],
    },
  ],
]

describe('a right response', () => {
  it.each(VENDORS)('of %s, signed by another implementation, is accepted', (_, vendor) => {
    const verdict = judgeResponse({ field: Buffer.from(vendorXml(vendor)).toString('base64') }, expectations())
    expect(verdict.checks.filter(({ status }) => status === 'failed')).toEqual([])
    if (!verdict.accepted) throw new Error('It was not accepted')
    const read = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&gt;', '>')
    expect(verdict.subject).toMatchObject({
      nameId: vendor.nameId,
      nameIdFormat: vendor.format,
      sessionIndex: '_session-1',
      authnContext: 'urn:oasis:names:tc:SAML:2.0:ac:classes:Password',
      authnInstant: Date.parse(at(-5)),
      inResponseTo: REQUEST,
      assertionId: '_assertion-1',
      issuer: IDP,
    })
    const named = vendor.attributes.flatMap(([name, friendly, values]) =>
      [name, friendly].filter((key) => key !== undefined).map((key) => [key, values.map(read)] as const),
    )
    expect(verdict.subject.attributes).toEqual(Object.fromEntries(named))
  })

  it('whose canonicalization names prefixes (Okta, Shibboleth) is accepted, and its inner signature read where it stands', () => {
    const typed =
      '<saml:Attribute Name="x"><saml:AttributeValue xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string">y</saml:AttributeValue></saml:Attribute>'
    const xml = responseXml({ attributes: typed }).replace(
      '<samlp:Response',
      '<samlp:Response xmlns:xs="http://www.w3.org/2001/XMLSchema"',
    )
    const inner = signXml(xml, 'Assertion', { inclusive: ['xs', '#default'] })
    for (const signed of [inner, signXml(inner, 'Response', { inclusive: ['xs'] }), signXml(inner, 'Response')])
      expect(judgeResponse({ xml: signed }, expectations()).accepted).toBe(true)
    // The declaration is part of what was signed.
    const changed = inner.replace('xmlns:xs="http://www.w3.org/2001/XMLSchema"', 'xmlns:xs="urn:x"')
    expect(judgeResponse({ xml: changed }, expectations()).accepted).toBe(false)
  })

  it('says which element was signed, by which certificate and how', () => {
    const { checks } = judgeResponse({ xml: signXml(responseXml(), 'Assertion') }, expectations())
    const known = readCertificate(idpKey.certificate)
    const fingerprint = 'fault' in known ? '' : known.fingerprint
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/)
    expect(checks.find(({ id }) => id === 'signature')?.found).toBe(`assertion RSA-SHA256 ${fingerprint}`)
  })

  const AES = [
    `${XENC}aes128-cbc`,
    `${XENC}aes256-cbc`,
    'http://www.w3.org/2009/xmlenc11#aes128-gcm',
    'http://www.w3.org/2009/xmlenc11#aes256-gcm',
  ]
  it.each(AES)('with its assertion encrypted by %s is accepted, whether signed inside or around', (content) => {
    const inside = encryptXml(signXml(responseXml(), 'Assertion'), { content })
    const around = signXml(encryptXml(responseXml(), { content }), 'Response')
    for (const xml of [inside, around, signXml(inside, 'Response')])
      expect(judgeResponse({ xml }, expectations())).toMatchObject({
        accepted: true,
        subject: { nameId: 'user@example.com' },
      })
  })

  it('with its key wrapped by the newer OAEP with SHA-256 is accepted', () => {
    const xml = encryptXml(signXml(responseXml(), 'Assertion'), {
      transport: 'http://www.w3.org/2009/xmlenc11#rsa-oaep',
      parameters: `<ds:DigestMethod Algorithm="${XENC}sha256"/><xenc11:MGF xmlns:xenc11="http://www.w3.org/2009/xmlenc11#" Algorithm="http://www.w3.org/2009/xmlenc11#mgf1sha256"/>`,
      hash: 'sha256',
    })
    expect(judgeResponse({ xml }, expectations()).accepted).toBe(true)
  })

  it.each(['sha256', 'sha384', 'sha512'])(
    'signed by a key on a NIST curve with %s is accepted, and an RSA algorithm is not read by it',
    (hash) => {
      const key = { privateKey: createPrivateKey(CERTIFIED.privateKey), certificate: CERTIFICATE }
      const sign = (name: string) =>
        signXml(responseXml(), 'Assertion', {
          key,
          algorithm: `http://www.w3.org/2001/04/xmldsig-more#${name}-${hash}`,
        })
      const certificates = [CERTIFICATE]
      expect(judgeResponse({ xml: sign('ecdsa') }, expectations({ certificates })).accepted).toBe(true)
      expect(judgeResponse({ xml: sign('ecdsa') }, expectations()).accepted).toBe(false)
      expect(judgeResponse({ xml: sign('rsa') }, expectations({ certificates })).accepted).toBe(false)
    },
  )

  it('is accepted by either of two certificates during a roll-over', () => {
    const xml = signXml(responseXml(), 'Assertion')
    const certificates = [attackerKey.certificate, idpKey.certificate]
    expect(judgeResponse({ xml }, expectations({ certificates })).accepted).toBe(true)
  })

  it.each([
    ['any', true, true, true],
    ['assertion', false, true, true],
    ['both', false, false, true],
  ] as [ResponseExpectations['require'], boolean, boolean, boolean][])(
    'where the signature of "%s" is required: the response alone %s, the assertion alone %s, both %s',
    (require, response, assertion, both) => {
      const accepted = (xml: string) => judgeResponse({ xml }, expectations({ require })).accepted
      expect(accepted(signXml(responseXml(), 'Response'))).toBe(response)
      expect(accepted(signXml(responseXml(), 'Assertion'))).toBe(assertion)
      expect(accepted(signXml(signXml(responseXml(), 'Assertion'), 'Response'))).toBe(both)
    },
  )

  it('is read as whole text, whatever comments and CDATA its writer put in', () => {
    const nameId = '<saml:NameID>user@example.com<!-- x -->.evil<![CDATA[.com&]]></saml:NameID>'
    const verdict = judgeResponse({ xml: signXml(responseXml({ nameId }), 'Assertion') }, expectations())
    expect(verdict).toMatchObject({ accepted: true, subject: { nameId: 'user@example.com.evil.com&' } })
    // Once it was signed, comments put in or taken away change nothing.
    const signed = signXml(responseXml(), 'Assertion').replace('user@example.com<', 'user@<!-- x -->example.com<')
    expect(judgeResponse({ xml: signed }, expectations())).toMatchObject({ subject: { nameId: 'user@example.com' } })
  })

  it('has attributes by names that every object has', () => {
    const attributes = ['__proto__', 'constructor', 'toString']
      .map((name) => `<saml:Attribute Name="${name}"><saml:AttributeValue>x</saml:AttributeValue></saml:Attribute>`)
      .join('')
    const verdict = judgeResponse({ xml: signXml(responseXml({ attributes }), 'Assertion') }, expectations())
    expect(verdict.accepted && Object.entries(verdict.subject.attributes)).toEqual([
      ['__proto__', ['x']],
      ['constructor', ['x']],
      ['toString', ['x']],
    ])
  })

  it('never lets a friendly name stand for a name', () => {
    const attribute = (name: string, friendly: string, value: string) =>
      `<saml:Attribute Name="${name}" FriendlyName="${friendly}"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`
    const attributes = attribute('email', 'mail', 'right') + attribute('x', 'email', 'wrong')
    const verdict = judgeResponse({ xml: signXml(responseXml({ attributes }), 'Assertion') }, expectations())
    expect(verdict.accepted && verdict.subject.attributes).toEqual({ email: ['right'], mail: ['right'], x: ['wrong'] })
  })
})
