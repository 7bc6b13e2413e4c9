import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ACS, expectations, IDP, idpKey, REQUEST, responseXml, SP, spKey } from '../../../test/peers/saml-peer.js'
import { signElement } from './crypto/sign-element.js'
import { buildAuthnRequest, buildIdpMetadata, buildResponse, NAME_ID_FORMATS, newId, verifyResponse } from './index.js'

const IS_HERE = spawnSync('xmlsec1', ['--version']).status === 0
if (!IS_HERE) process.stdout.write('skipped: xmlsec1 verifies the SAML signatures of Keyward (it is not installed)\n')

const now = Date.now()
let folder: string
let idp: string
let sp: string

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

function xmlsec(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('xmlsec1', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

const verify = (name: string, xml: string, element: string): string =>
  xmlsec(
    '--verify',
    '--enabled-key-data',
    'rsa',
    '--pubkey-cert-pem',
    file('idp.pem', idpKey.certificate),
    '--id-attr:ID',
    element,
    file(name, xml),
  )

const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion:Assertion'
const RESPONSE = 'urn:oasis:names:tc:SAML:2.0:protocol:Response'

/** A signature with empty values, for xmlsec1 to fill in. */
const template = (id: string, hash: string, prefixes: string): string =>
  `<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo><ds:CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/><ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-${hash}"/><ds:Reference URI="#${id}"><ds:Transforms><ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/><ds:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#">${prefixes && `<ec:InclusiveNamespaces xmlns:ec="http://www.w3.org/2001/10/xml-exc-c14n#" PrefixList="${prefixes}"/>`}</ds:Transform></ds:Transforms><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#${hash === 'sha384' ? 'sha256' : hash}"/><ds:DigestValue/></ds:Reference></ds:SignedInfo><ds:SignatureValue/></ds:Signature>`

const signedBy = (xml: string, name: 'Response' | 'Assertion', hash: string, prefixes: string): string => {
  const id = name === 'Response' ? '_response-1' : '_assertion-1'
  const start = xml.indexOf(name === 'Response' ? '<samlp:Response' : '<saml:Assertion')
  const place = xml.indexOf('</saml:Issuer>', start) + '</saml:Issuer>'.length
  const path = file('template.xml', xml.slice(0, place) + template(id, hash, prefixes) + xml.slice(place))
  // xmlsec1 signs only the first signature of the document: the assertion's comes after the response's.
  const node =
    name === 'Response' ? `/*/*[local-name()='Signature']` : `//*[local-name()='Assertion']/*[local-name()='Signature']`
  return xmlsec(
    '--sign',
    '--privkey-pem',
    idp,
    '--id-attr:ID',
    name === 'Response' ? RESPONSE : ASSERTION,
    '--node-xpath',
    node,
    path,
  )
}

describe.skipIf(!IS_HERE)('interoperability with xmlsec1', () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'keyward-xmlsec-'))
    idp = file('idp.key', idpKey.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
    sp = file('sp.key', spKey.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('creates signatures that xmlsec1 verifies, but not after a change', async () => {
    const options = {
      issuer: IDP,
      acsUrl: ACS,
      inResponseTo: REQUEST,
      now,
      audience: SP,
      nameId: { value: `Ada <&>"' ]]> 𝒜`, format: NAME_ID_FORMATS.persistent },
      attributes: [{ name: 'a"\t', values: ['line\r\nline', 'é'] }],
      authnInstant: now,
      sessionIndex: '_s',
    }
    const { xml } = await buildResponse(options, idpKey)
    verify('response.xml', xml, RESPONSE)
    const assertion = /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)?.[0] ?? ''
    verify('assertion.xml', assertion, ASSERTION)
    expect(() => verify('changed.xml', assertion.replace('Ada', 'Bob'), ASSERTION)).toThrow()

    const sealed = await buildResponse({ ...options, encryptTo: spKey.certificate }, idpKey)
    const encrypted = /<xenc:EncryptedData[\s\S]*<\/xenc:EncryptedData>/.exec(sealed.xml)?.[0] ?? ''
    const decrypted = xmlsec('--decrypt', '--privkey-pem', sp, file('encrypted.xml', encrypted))
    verify('decrypted.xml', decrypted, ASSERTION)
  })

  it('creates signatures of requests and metadata that xmlsec1 verifies', async () => {
    const request = { id: newId(), now, issuer: SP, destination: 'https://idp.example/sso?a=1&b=2', acsUrl: ACS }
    verify('request.xml', await buildAuthnRequest(request, idpKey), 'urn:oasis:names:tc:SAML:2.0:protocol:AuthnRequest')
    const metadata = buildIdpMetadata({
      entityId: IDP,
      ssoUrl: 'https://idp.example/sso?a="1"&b=<2>',
      signingCertificates: [idpKey.certificate],
      nameIdFormats: [NAME_ID_FORMATS.email],
      wantAuthnRequestsSigned: false,
    }).replace(/^<\?xml.*\?>\s*/, '')
    const signed = await signElement(
      '_metadata-1',
      (signature) =>
        metadata.replace(' entityID', ' ID="_metadata-1" entityID').replace('<md:IDP', `${signature}<md:IDP`),
      idpKey,
    )
    verify('metadata.xml', signed, 'urn:oasis:names:tc:SAML:2.0:metadata:EntityDescriptor')
  })

  it.each(['sha256', 'sha384', 'sha512'])(
    'accepts xmlsec1 signatures with %s, with and without a PrefixList',
    (hash) => {
      const nameId = `<saml:NameID>ada &amp; <![CDATA[<b>]]>&#13;é𝒜</saml:NameID>`
      const xml = responseXml({ nameId })
        .replace(
          '<samlp:Response',
          '<samlp:Response xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:a="urn:a" xmlns="urn:b"',
        )
        .replace('<samlp:Status>', '<samlp:Status b="2" a="1" a:z="3" xml:lang="en" xmlns:a="urn:c">')
      for (const prefixes of ['', 'xs', 'xs #default a'])
        for (const name of ['Response', 'Assertion'] as const) {
          const verdict = verifyResponse({ xml: signedBy(xml, name, hash, prefixes) }, expectations())
          expect(verdict.checks.filter(({ status }) => status === 'failed')).toEqual([])
          expect(verdict.accepted && verdict.subject.nameId).toBe('ada & <b>\ré𝒜')
        }
    },
  )

  it.each(['aes128-cbc', 'aes256-cbc', 'aes256-gcm'])('decrypts what xmlsec1 encrypts with %s', (name) => {
    const namespace = name.endsWith('gcm') ? 'http://www.w3.org/2009/xmlenc11#' : 'http://www.w3.org/2001/04/xmlenc#'
    const xenc = 'http://www.w3.org/2001/04/xmlenc#'
    const form = `<xenc:EncryptedData xmlns:xenc="${xenc}" Type="${xenc}Element"><xenc:EncryptionMethod Algorithm="${namespace}${name}"/><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><xenc:EncryptedKey><xenc:EncryptionMethod Algorithm="${xenc}rsa-oaep-mgf1p"/><ds:KeyInfo><ds:KeyName/></ds:KeyInfo><xenc:CipherData><xenc:CipherValue/></xenc:CipherData></xenc:EncryptedKey></ds:KeyInfo><xenc:CipherData><xenc:CipherValue/></xenc:CipherData></xenc:EncryptedData>`
    const signed = signedBy(responseXml(), 'Assertion', 'sha256', '')
    const wrapped = signed
      .replace('<saml:Assertion', '<saml:EncryptedAssertion><saml:Assertion')
      .replace('</saml:Assertion>', '</saml:Assertion></saml:EncryptedAssertion>')
    const sealed = xmlsec(
      '--encrypt',
      '--pubkey-cert-pem',
      file('sp.pem', spKey.certificate),
      '--session-key',
      `aes-${name.slice(3, 6)}`,
      '--xml-data',
      file('plain.xml', wrapped),
      '--node-xpath',
      `//*[local-name()='Assertion']`,
      file('form.xml', form),
    )
    expect(sealed).not.toContain('<saml:Assertion')
    const verdict = verifyResponse({ xml: sealed }, expectations())
    expect(verdict.checks.filter(({ status }) => status === 'failed')).toEqual([])
    expect(verdict.accepted).toBe(true)
  })
})
