import { generateServiceProviderMetadata } from '@node-saml/node-saml'
import { describe, expect, it } from 'vitest'
import { ACS, at, attackerKey, IDP, idpKey, NOW, SP, spKey } from '../../../test/saml-peer.js'
import { certificateBody } from './certificates.js'
import {
  buildIdpMetadata,
  buildSpMetadata,
  NAME_ID_FORMATS,
  parseIdpMetadata,
  parseSpMetadata,
  readCertificate,
} from './index.js'

const SSO = 'https://idp.example/sso?a=1&b="2"'
const SLO = 'https://idp.example/slo'
const question = { now: NOW }
const fingerprintOf = (pem: string): string => {
  const read = readCertificate(pem)
  return 'fault' in read ? read.fault : read.fingerprint
}
const problemsIn = (parsed: ReturnType<typeof parseIdpMetadata> | ReturnType<typeof parseSpMetadata>): string[] =>
  'problems' in parsed ? parsed.problems.map(({ id }) => id) : []

const idpMetadata = buildIdpMetadata({
  entityId: IDP,
  ssoUrl: SSO,
  sloUrl: SLO,
  signingCertificates: [idpKey.certificate, attackerKey.certificate],
  nameIdFormats: [NAME_ID_FORMATS.email, NAME_ID_FORMATS.persistent],
  wantAuthnRequestsSigned: false,
})
const spMetadata = buildSpMetadata({
  entityId: SP,
  acsUrl: ACS,
  sloUrl: SLO,
  signingCertificates: [spKey.certificate],
  encryptionCertificates: [spKey.certificate],
  nameIdFormats: [NAME_ID_FORMATS.email],
  authnRequestsSigned: true,
  wantAssertionsSigned: true,
})
const entityOf = (metadata: string): string => metadata.replace(/^<\?xml.*\?>\s*/, '')
const entities = (...inside: string[]): string =>
  `<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata">${inside.map(entityOf).join('')}</EntitiesDescriptor>`

describe('metadata of an identity provider', () => {
  it('of ours says who we are, both certificates of a roll-over, and where requests go', () => {
    expect(parseIdpMetadata(idpMetadata, question)).toMatchObject({
      metadata: {
        entityId: IDP,
        validUntil: undefined,
        nameIdFormats: [NAME_ID_FORMATS.email, NAME_ID_FORMATS.persistent],
        signingCertificates: [
          { fingerprint: fingerprintOf(idpKey.certificate) },
          { fingerprint: fingerprintOf(attackerKey.certificate) },
        ],
        encryptionCertificates: [],
        ssoServices: [
          { binding: 'redirect', location: SSO },
          { binding: 'post', location: SSO },
        ],
        sloServices: [
          { binding: 'redirect', location: SLO },
          { binding: 'post', location: SLO },
        ],
        wantAuthnRequestsSigned: false,
        warnings: [],
      },
    })
  })

  it('is read in other prefixes, with a key without a use, after a byte order mark', () => {
    const text = `\ufeff\n<?xml version="1.0"?><EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${IDP}" validUntil="${at(60)}"><Extensions><x xmlns="urn:x"/></Extensions><IDPSSODescriptor WantAuthnRequestsSigned="1" protocolSupportEnumeration="urn:oasis:names:tc:SAML:1.1:protocol urn:oasis:names:tc:SAML:2.0:protocol"><KeyDescriptor><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>
      ${certificateBody(idpKey.certificate).replaceAll(/(.{76})/g, '$1\n      ')}
      </X509Certificate></X509Data></KeyInfo></KeyDescriptor><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:SOAP" Location="https://idp.example/soap"/><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://idp.example/post" ResponseLocation="https://idp.example/answers"/></IDPSSODescriptor></EntityDescriptor>`
    const certificate = { fingerprint: fingerprintOf(idpKey.certificate), pem: idpKey.certificate, keySize: 2048 }
    expect(parseIdpMetadata(text, question)).toMatchObject({
      metadata: {
        validUntil: Date.parse(at(60)),
        wantAuthnRequestsSigned: true,
        signingCertificates: [certificate],
        encryptionCertificates: [certificate],
        ssoServices: [
          { binding: 'post', location: 'https://idp.example/post', responseLocation: 'https://idp.example/answers' },
        ],
      },
    })
    expect(problemsIn(parseIdpMetadata(text, { now: NOW + 60_000 }))).toEqual(['expired'])
  })

  it('is found among others where only one fits, or where one is named', () => {
    const other = idpMetadata.replace(IDP, 'https://other.example')
    expect(parseIdpMetadata(entities(spMetadata, idpMetadata), question)).toMatchObject({ metadata: { entityId: IDP } })
    expect(problemsIn(parseIdpMetadata(entities(other, idpMetadata), question))).toEqual(['several_entities'])
    expect(parseIdpMetadata(entities(other, entities(idpMetadata)), { ...question, entityId: IDP })).toMatchObject({
      metadata: { entityId: IDP },
    })
    expect(problemsIn(parseIdpMetadata(idpMetadata, { ...question, entityId: SP }))).toEqual(['no_entity'])
  })

  it.each([
    ['a page of HTML', ['unreadable'], '<!doctype html><html></html>'],
    ['another document', ['unreadable'], '<x/>'],
    ['nothing', ['unreadable'], ''],
    ['a bomb', ['unreadable'], `<!DOCTYPE x [<!ENTITY a "a">]>${entityOf(idpMetadata)}`],
    ['metadata of a service provider', ['no_entity'], spMetadata],
    ['a role of SAML 1.1 alone', ['no_entity'], idpMetadata.replace('SAML:2.0:protocol', 'SAML:1.1:protocol')],
    ['no entity id', ['entity_id'], idpMetadata.replace(`"${IDP}"`, '""')],
    ['no certificate', ['no_certificate'], idpMetadata.replaceAll(/<md:KeyDescriptor.*<\/md:KeyDescriptor>/g, '')],
    ['only a certificate to encrypt to', ['no_certificate'], idpMetadata.replaceAll('"signing"', '"encryption"')],
    [
      'certificates that are none',
      ['certificate', 'certificate', 'no_certificate'],
      idpMetadata.replaceAll('Certificate>MII', 'Certificate>XII'),
    ],
    [
      'an address that runs in the browser',
      ['location', 'location', 'no_service'],
      idpMetadata.replaceAll('Location="https://idp.example/sso', 'Location="javascript:alert(1)//'),
    ],
    ['no address', ['no_service'], idpMetadata.replaceAll(/<md:SingleSignOnService[^>]*>/g, '')],
    ['a time that is none', ['expired'], idpMetadata.replace('entityID', 'validUntil="soon" entityID')],
  ])('that is %s is refused by name (%j)', (_, problems, text) => {
    expect(problemsIn(parseIdpMetadata(text, question))).toEqual(problems)
  })

  it('with one certificate that cannot be used is read with the other, and says so', () => {
    const parsed = parseIdpMetadata(idpMetadata.replace('Certificate>MII', 'Certificate>XII'), question)
    expect(parsed).toMatchObject({ metadata: { signingCertificates: [{}], warnings: [{ id: 'certificate' }] } })
  })
})

describe('metadata of a service provider', () => {
  it('of ours says who we are and where answers go', () => {
    expect(parseSpMetadata(spMetadata, question)).toMatchObject({
      metadata: {
        entityId: SP,
        acsUrls: [ACS],
        signingCertificates: [{ fingerprint: fingerprintOf(spKey.certificate) }],
        encryptionCertificates: [{ fingerprint: fingerprintOf(spKey.certificate) }],
        nameIdFormats: [NAME_ID_FORMATS.email],
        authnRequestsSigned: true,
        wantAssertionsSigned: true,
        sloServices: [{ binding: 'redirect' }, { binding: 'post' }],
      },
    })
  })

  it('of another implementation is read', () => {
    const pem = spKey.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const text = generateServiceProviderMetadata({
      issuer: SP,
      callbackUrl: ACS,
      logoutCallbackUrl: SLO,
      identifierFormat: NAME_ID_FORMATS.email,
      wantAssertionsSigned: true,
      decryptionPvk: pem,
      decryptionCert: spKey.certificate,
      privateKey: pem,
      publicCerts: spKey.certificate,
    })
    expect(parseSpMetadata(text, question)).toMatchObject({
      metadata: {
        entityId: SP,
        acsUrls: [ACS],
        signingCertificates: [{}],
        encryptionCertificates: [{}],
        wantAssertionsSigned: true,
      },
    })
  })

  it('is read with the default address first, and the attributes that it asks for', () => {
    const service = (index: number, url: string, more = '') =>
      `<md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${url}" index="${index}"${more}/>`
    const asked =
      '<md:AttributeConsumingService index="0"><md:ServiceName xml:lang="en">x</md:ServiceName><md:RequestedAttribute Name="urn:oid:2.5.4.42" FriendlyName="givenName" isRequired="true"/><md:RequestedAttribute Name="mail"/></md:AttributeConsumingService>'
    const several =
      service(2, 'https://a.example') +
      service(1, 'https://b.example') +
      service(3, 'https://c.example', ' isDefault="true"')
    const text = spMetadata.replace(/<md:AssertionConsumerService[^>]*>/, several + asked)
    expect(parseSpMetadata(text, question)).toMatchObject({
      metadata: {
        acsUrls: ['https://c.example', 'https://b.example', 'https://a.example'],
        requestedAttributes: [
          { name: 'urn:oid:2.5.4.42', friendlyName: 'givenName', isRequired: true },
          { name: 'mail', friendlyName: undefined, isRequired: false },
        ],
      },
    })
  })

  it.each([
    [
      'with answers by another binding alone',
      ['no_service'],
      spMetadata.replaceAll('HTTP-POST" Location="https://sp', 'HTTP-Artifact" Location="https://sp'),
    ],
    [
      'with an address that runs in the browser',
      ['location', 'no_service'],
      spMetadata.replace(`"${ACS}"`, '"javascript:alert(1)"'),
    ],
    ['with an address that is data', ['location', 'no_service'], spMetadata.replace(`"${ACS}"`, '"data:text/html,x"')],
    ['of an identity provider', ['no_entity'], idpMetadata],
  ])('%s is refused by name', (_, problems, text) => {
    expect(problemsIn(parseSpMetadata(text, question))).toEqual(problems)
  })
})
