import { createPrivateKey } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { VENDORS, vendorXml } from '../../../../test/doubles/saml-vendors.js'
import { CERTIFICATE, CERTIFIED } from '../../../../test/factories/certified-key.js'
import {
  at,
  attackerKey,
  encryptXml,
  expectations,
  IDP,
  idpKey,
  REQUEST,
  responseXml,
  signXml,
} from '../../../../test/peers/saml-peer.js'
import { type ResponseExpectations, readCertificate, verifyResponse } from '../index.js'

const XENC = 'http://www.w3.org/2001/04/xmlenc#'

describe('the response verifier with a valid response', () => {
  it.each(VENDORS)('accepts a response of %s, signed by another implementation', (_, vendor) => {
    const verdict = verifyResponse({ field: Buffer.from(vendorXml(vendor)).toString('base64') }, expectations())
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

  it('accepts a PrefixList (Okta, Shibboleth) and verifies the inner signature in place', () => {
    const typed =
      '<saml:Attribute Name="x"><saml:AttributeValue xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string">y</saml:AttributeValue></saml:Attribute>'
    const xml = responseXml({ attributes: typed }).replace(
      '<samlp:Response',
      '<samlp:Response xmlns:xs="http://www.w3.org/2001/XMLSchema"',
    )
    const inner = signXml(xml, 'Assertion', { inclusive: ['xs', '#default'] })
    for (const signed of [inner, signXml(inner, 'Response', { inclusive: ['xs'] }), signXml(inner, 'Response')])
      expect(verifyResponse({ xml: signed }, expectations()).accepted).toBe(true)
    // The declaration is part of the signed content.
    const changed = inner.replace('xmlns:xs="http://www.w3.org/2001/XMLSchema"', 'xmlns:xs="urn:x"')
    expect(verifyResponse({ xml: changed }, expectations()).accepted).toBe(false)
  })

  it('reports the signed element, the certificate and the algorithm', () => {
    const { checks } = verifyResponse({ xml: signXml(responseXml(), 'Assertion') }, expectations())
    const known = readCertificate(idpKey.certificate)
    const fingerprint = 'violation' in known ? '' : known.fingerprint
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/)
    expect(checks.find(({ id }) => id === 'signature')?.found).toBe(`assertion RSA-SHA256 ${fingerprint}`)
  })

  const AES = [
    `${XENC}aes128-cbc`,
    `${XENC}aes256-cbc`,
    'http://www.w3.org/2009/xmlenc11#aes128-gcm',
    'http://www.w3.org/2009/xmlenc11#aes256-gcm',
  ]
  it.each(AES)('accepts an assertion encrypted with %s, signed inside or outside', (content) => {
    const inside = encryptXml(signXml(responseXml(), 'Assertion'), { content })
    const around = signXml(encryptXml(responseXml(), { content }), 'Response')
    for (const xml of [inside, around, signXml(inside, 'Response')])
      expect(verifyResponse({ xml }, expectations())).toMatchObject({
        accepted: true,
        subject: { nameId: 'user@example.com' },
      })
  })

  it('accepts a key wrapped with OAEP and SHA-256', () => {
    const xml = encryptXml(signXml(responseXml(), 'Assertion'), {
      transport: 'http://www.w3.org/2009/xmlenc11#rsa-oaep',
      parameters: `<ds:DigestMethod Algorithm="${XENC}sha256"/><xenc11:MGF xmlns:xenc11="http://www.w3.org/2009/xmlenc11#" Algorithm="http://www.w3.org/2009/xmlenc11#mgf1sha256"/>`,
      hash: 'sha256',
    })
    expect(verifyResponse({ xml }, expectations()).accepted).toBe(true)
  })

  it.each(['sha256', 'sha384', 'sha512'])(
    'accepts a signature on a NIST curve with %s, but no RSA algorithm for that key',
    (hash) => {
      const key = { privateKey: createPrivateKey(CERTIFIED.privateKey), certificate: CERTIFICATE }
      const sign = (name: string) =>
        signXml(responseXml(), 'Assertion', {
          key,
          algorithm: `http://www.w3.org/2001/04/xmldsig-more#${name}-${hash}`,
        })
      const certificates = [CERTIFICATE]
      expect(verifyResponse({ xml: sign('ecdsa') }, expectations({ certificates })).accepted).toBe(true)
      expect(verifyResponse({ xml: sign('ecdsa') }, expectations()).accepted).toBe(false)
      expect(verifyResponse({ xml: sign('rsa') }, expectations({ certificates })).accepted).toBe(false)
    },
  )

  it('accepts either of two certificates during a rollover', () => {
    const xml = signXml(responseXml(), 'Assertion')
    const certificates = [attackerKey.certificate, idpKey.certificate]
    expect(verifyResponse({ xml }, expectations({ certificates })).accepted).toBe(true)
  })

  it.each([
    ['any', true, true, true],
    ['assertion', false, true, true],
    ['both', false, false, true],
  ] as [ResponseExpectations['require'], boolean, boolean, boolean][])(
    'enforces the required signatures "%s": response only %s, assertion only %s, both %s',
    (require, response, assertion, both) => {
      const accepted = (xml: string) => verifyResponse({ xml }, expectations({ require })).accepted
      expect(accepted(signXml(responseXml(), 'Response'))).toBe(response)
      expect(accepted(signXml(responseXml(), 'Assertion'))).toBe(assertion)
      expect(accepted(signXml(signXml(responseXml(), 'Assertion'), 'Response'))).toBe(both)
    },
  )

  it('reads whole values around comments and CDATA sections', () => {
    const nameId = '<saml:NameID>user@example.com<!-- x -->.evil<![CDATA[.com&]]></saml:NameID>'
    const verdict = verifyResponse({ xml: signXml(responseXml({ nameId }), 'Assertion') }, expectations())
    expect(verdict).toMatchObject({ accepted: true, subject: { nameId: 'user@example.com.evil.com&' } })
    // Comments added or removed after signing have no effect.
    const signed = signXml(responseXml(), 'Assertion').replace('user@example.com<', 'user@<!-- x -->example.com<')
    expect(verifyResponse({ xml: signed }, expectations())).toMatchObject({ subject: { nameId: 'user@example.com' } })
  })

  it('reads attributes named like object members', () => {
    const attributes = ['__proto__', 'constructor', 'toString']
      .map((name) => `<saml:Attribute Name="${name}"><saml:AttributeValue>x</saml:AttributeValue></saml:Attribute>`)
      .join('')
    const verdict = verifyResponse({ xml: signXml(responseXml({ attributes }), 'Assertion') }, expectations())
    expect(verdict.accepted && Object.entries(verdict.subject.attributes)).toEqual([
      ['__proto__', ['x']],
      ['constructor', ['x']],
      ['toString', ['x']],
    ])
  })

  it('reads no FriendlyName instead of a Name', () => {
    const attribute = (name: string, friendly: string, value: string) =>
      `<saml:Attribute Name="${name}" FriendlyName="${friendly}"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`
    const attributes = attribute('email', 'mail', 'right') + attribute('x', 'email', 'wrong')
    const verdict = verifyResponse({ xml: signXml(responseXml({ attributes }), 'Assertion') }, expectations())
    expect(verdict.accepted && verdict.subject.attributes).toEqual({ email: ['right'], mail: ['right'], x: ['wrong'] })
  })
})
