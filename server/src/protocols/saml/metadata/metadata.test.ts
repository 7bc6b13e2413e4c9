import { generateServiceProviderMetadata } from '@node-saml/node-saml'
import { describe, expect, it } from 'vitest'
import { ACS, at, attackerKey, IDP, idpKey, NOW, SP, spKey } from '../../../../test/peers/saml-peer.js'
import { certificateBody } from '../crypto/certificates.js'
import {
  buildIdpMetadata,
  buildSpMetadata,
  NAME_ID_FORMATS,
  parseIdpMetadata,
  parseSpMetadata,
  readCertificate,
} from '../index.js'

const SSO = 'https://idp.example/sso?a=1&b="2"'
const SLO = 'https://idp.example/slo'
const options = { now: NOW }
const fingerprintOf = (pem: string): string => {
  const read = readCertificate(pem)
  return 'violation' in read ? read.violation : read.fingerprint
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

describe('identity provider metadata', () => {
  it('contains the entity ID, both certificates of a rollover and the URLs', () => {
    expect(parseIdpMetadata(idpMetadata, options)).toMatchObject({
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

  it('accepts other prefixes, a key without a use and a byte order mark', () => {
    const text = `\ufeff\n<?xml version="1.0"?><EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${IDP}" validUntil="${at(60)}"><Extensions><x xmlns="urn:x"/></Extensions><IDPSSODescriptor WantAuthnRequestsSigned="1" protocolSupportEnumeration="urn:oasis:names:tc:SAML:1.1:protocol urn:oasis:names:tc:SAML:2.0:protocol"><KeyDescriptor><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>
      ${certificateBody(idpKey.certificate).replaceAll(/(.{76})/g, '$1\n      ')}
      </X509Certificate></X509Data></KeyInfo></KeyDescriptor><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:SOAP" Location="https://idp.example/soap"/><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://idp.example/post" ResponseLocation="https://idp.example/answers"/></IDPSSODescriptor></EntityDescriptor>`
    const certificate = { fingerprint: fingerprintOf(idpKey.certificate), pem: idpKey.certificate, keySize: 2048 }
    expect(parseIdpMetadata(text, options)).toMatchObject({
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

  it('finds the only matching entity, or the named one, among several', () => {
    const other = idpMetadata.replace(IDP, 'https://other.example')
    expect(parseIdpMetadata(entities(spMetadata, idpMetadata), options)).toMatchObject({ metadata: { entityId: IDP } })
    expect(problemsIn(parseIdpMetadata(entities(other, idpMetadata), options))).toEqual(['several_entities'])
    expect(parseIdpMetadata(entities(other, entities(idpMetadata)), { ...options, entityId: IDP })).toMatchObject({
      metadata: { entityId: IDP },
    })
    expect(problemsIn(parseIdpMetadata(idpMetadata, { ...options, entityId: SP }))).toEqual(['no_entity'])
  })

  it.each([
    ['a page of HTML', ['unreadable'], '<!doctype html><html></html>'],
    ['another document', ['unreadable'], '<x/>'],
    ['nothing', ['unreadable'], ''],
    ['a bomb', ['unreadable'], `<!DOCTYPE x [<!ENTITY a "a">]>${entityOf(idpMetadata)}`],
    ['service provider metadata', ['no_entity'], spMetadata],
    ['only a SAML 1.1 role', ['no_entity'], idpMetadata.replace('SAML:2.0:protocol', 'SAML:1.1:protocol')],
    ['no entity ID', ['entity_id'], idpMetadata.replace(`"${IDP}"`, '""')],
    ['no certificate', ['no_certificate'], idpMetadata.replaceAll(/<md:KeyDescriptor.*<\/md:KeyDescriptor>/g, '')],
    ['only an encryption certificate', ['no_certificate'], idpMetadata.replaceAll('"signing"', '"encryption"')],
    [
      'invalid certificates',
      ['certificate', 'certificate', 'no_certificate'],
      idpMetadata.replaceAll('Certificate>MII', 'Certificate>XII'),
    ],
    [
      'a URL that a browser would execute',
      ['location', 'location', 'no_service'],
      idpMetadata.replaceAll('Location="https://idp.example/sso', 'Location="javascript:alert(1)//'),
    ],
    ['no URL', ['no_service'], idpMetadata.replaceAll(/<md:SingleSignOnService[^>]*>/g, '')],
    ['a malformed time', ['expired'], idpMetadata.replace('entityID', 'validUntil="soon" entityID')],
  ])('rejects %s with the problems %j', (_, problems, text) => {
    expect(problemsIn(parseIdpMetadata(text, options))).toEqual(problems)
  })

  it('names the end of expired metadata, and reports a malformed time of the root once', () => {
    const withValidity = (validUntil: string) => idpMetadata.replace('entityID', `validUntil="${validUntil}" entityID`)
    expect(parseIdpMetadata(withValidity('2020-01-01T00:00:00Z'), options)).toEqual({
      problems: [{ id: 'expired', detail: 'The metadata expired at 2020-01-01T00:00:00.000Z' }],
    })
    expect(parseIdpMetadata(entityOf(withValidity('soon')), options)).toEqual({
      problems: [{ id: 'expired', detail: 'validUntil is not a valid timestamp: soon' }],
    })
  })

  it('limits the validity of an entity by all groups that contain it', () => {
    const limited = (group: string, seconds: number) =>
      group.replace('EntitiesDescriptor', `EntitiesDescriptor validUntil="${at(seconds)}"`)
    const nested = (inner: number) => limited(entities(limited(entities(idpMetadata), inner)), 3_600)
    expect(parseIdpMetadata(nested(60), options)).toMatchObject({ metadata: { validUntil: Date.parse(at(60)) } })
    expect(problemsIn(parseIdpMetadata(nested(-60), options))).toEqual(['expired'])
  })

  it('skips an unusable certificate with a warning', () => {
    const parsed = parseIdpMetadata(idpMetadata.replace('Certificate>MII', 'Certificate>XII'), options)
    expect(parsed).toMatchObject({ metadata: { signingCertificates: [{}], warnings: [{ id: 'certificate' }] } })
  })
})

describe('service provider metadata', () => {
  it('contains the entity ID and the URLs', () => {
    expect(parseSpMetadata(spMetadata, options)).toMatchObject({
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

  it('reads the metadata of another implementation', () => {
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
    expect(parseSpMetadata(text, options)).toMatchObject({
      metadata: {
        entityId: SP,
        acsUrls: [ACS],
        signingCertificates: [{}],
        encryptionCertificates: [{}],
        wantAssertionsSigned: true,
      },
    })
  })

  it('returns the default URL first, and the requested attributes', () => {
    const service = (index: number, url: string, more = '') =>
      `<md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${url}" index="${index}"${more}/>`
    const asked =
      '<md:AttributeConsumingService index="0"><md:ServiceName xml:lang="en">x</md:ServiceName><md:RequestedAttribute Name="urn:oid:2.5.4.42" FriendlyName="givenName" isRequired="true"/><md:RequestedAttribute Name="mail"/></md:AttributeConsumingService>'
    const several =
      service(2, 'https://a.example') +
      service(1, 'https://b.example') +
      service(3, 'https://c.example', ' isDefault="true"')
    const text = spMetadata.replace(/<md:AssertionConsumerService[^>]*>/, several + asked)
    expect(parseSpMetadata(text, options)).toMatchObject({
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
      'with only another binding for responses',
      ['no_service'],
      spMetadata.replaceAll('HTTP-POST" Location="https://sp', 'HTTP-Artifact" Location="https://sp'),
    ],
    [
      'with a URL that a browser would execute',
      ['location', 'no_service'],
      spMetadata.replace(`"${ACS}"`, '"javascript:alert(1)"'),
    ],
    ['with a data URL', ['location', 'no_service'], spMetadata.replace(`"${ACS}"`, '"data:text/html,x"')],
    ['of an identity provider', ['no_entity'], idpMetadata],
  ])('rejects metadata %s with its problems', (_, problems, text) => {
    expect(problemsIn(parseSpMetadata(text, options))).toEqual(problems)
  })
})
