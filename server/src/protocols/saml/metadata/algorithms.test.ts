import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  encryptXml,
  expectations,
  IDP,
  idpKey,
  NOW,
  responseXml,
  SP,
  signXml,
  spKey,
} from '../../../../test/peers/saml-peer.js'
import { certificateBody } from '../crypto/certificates.js'
import {
  buildAuthnRequest,
  buildIdpMetadata,
  buildSpMetadata,
  makeCertificate,
  redirectUrl,
  verifyAuthnRequest,
  verifyResponse,
} from '../index.js'

const { privateKey: ecKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const dates = { from: new Date(NOW - 86_400_000), until: new Date(NOW + 86_400_000) }
const ec = { privateKey: ecKey, certificate: makeCertificate({ privateKey: ecKey, commonName: 'ec', ...dates }) }
const SSO = 'https://idp.example/sso'

const idpMetadata = buildIdpMetadata({
  entityId: IDP,
  ssoUrl: SSO,
  signingCertificates: [idpKey.certificate],
  nameIdFormats: [],
  wantAuthnRequestsSigned: true,
})
const spMetadata = buildSpMetadata({
  entityId: SP,
  acsUrl: 'https://sp.example/acs',
  signingCertificates: [idpKey.certificate],
  encryptionCertificates: [spKey.certificate],
  nameIdFormats: [],
  authnRequestsSigned: true,
  wantAssertionsSigned: true,
})

/** Algorithms of XML Signature, RFC 9231 and XML Encryption: current, weak and of other families. */
const SIGNATURES = [
  'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
  'http://www.w3.org/2000/09/xmldsig#dsa-sha1',
  'http://www.w3.org/2000/09/xmldsig#hmac-sha1',
  'http://www.w3.org/2009/xmldsig11#dsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-md5',
  ...['rsa', 'ecdsa', 'hmac'].flatMap((family) =>
    ['sha1', 'sha224', 'sha256', 'sha384', 'sha512'].map(
      (hash) => `http://www.w3.org/2001/04/xmldsig-more#${family}-${hash}`,
    ),
  ),
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
]
const DIGESTS = [
  'http://www.w3.org/2000/09/xmldsig#sha1',
  'http://www.w3.org/2001/04/xmldsig-more#sha224',
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512',
]
const XENC = 'http://www.w3.org/2001/04/xmlenc#'
const XENC11 = 'http://www.w3.org/2009/xmlenc11#'
const CONTENTS = [
  `${XENC}tripledes-cbc`,
  ...[128, 192, 256].flatMap((bits) => [`${XENC}aes${bits}-cbc`, `${XENC11}aes${bits}-gcm`]),
]
const TRANSPORTS = [`${XENC}rsa-1_5`, `${XENC}rsa-oaep-mgf1p`, `${XENC11}rsa-oaep`]

const hashIn = (uri: string): string => /(?:sha\d+|md5)/.exec(uri)?.[0] ?? ''

/** Returns the algorithms in elements of that name, by their prefix. */
const announced = (metadata: string, name: string): string[] =>
  [...metadata.matchAll(new RegExp(`<${name} Algorithm="([^"]+)"`, 'g'))].map(([, uri]) => uri ?? '')

/** Whether the identity provider accepts a request whose query is signed with an algorithm. */
async function acceptsRequest(algorithm: string): Promise<boolean> {
  const key = algorithm.includes('ecdsa') ? ec : idpKey
  const request = { id: '_request', now: NOW, issuer: SP, destination: SSO, acsUrl: 'https://sp.example/acs' }
  const url = await redirectUrl({ target: SSO, parameter: 'SAMLRequest', xml: await buildAuthnRequest(request) })
  const query = `${url.slice(url.indexOf('?') + 1)}&SigAlg=${encodeURIComponent(algorithm)}`
  const signer = { key: key.privateKey, dsaEncoding: 'ieee-p1363' } as const
  const value = sign(hashIn(algorithm), Buffer.from(query), signer).toString('base64')
  const serviceProvider = { entityId: SP, acsUrls: ['https://sp.example/acs'], certificates: [key.certificate] }
  const message = { binding: 'redirect', query: `${query}&Signature=${encodeURIComponent(value)}` } as const
  return verifyAuthnRequest(message, { now: NOW, serviceProvider, ssoUrls: [SSO] }).accepted
}

/** Whether the service provider accepts an assertion that is signed with these algorithms. */
const acceptsAssertion = (signing: { algorithm?: string; digest?: string }): boolean => {
  const key = signing.algorithm?.includes('ecdsa') ? ec : idpKey
  const xml = signXml(responseXml(), 'Assertion', { ...signing, key })
  return verifyResponse({ xml }, expectations({ now: NOW, certificates: [key.certificate] })).accepted
}

describe('the algorithms in metadata', () => {
  it('names exactly the signature algorithms that each role accepts', async () => {
    const [requests, assertions]: [string[], string[]] = [[], []]
    for (const algorithm of SIGNATURES) {
      if (await acceptsRequest(algorithm)) requests.push(algorithm)
      if (/sha\d+$/.test(algorithm) && acceptsAssertion({ algorithm })) assertions.push(algorithm)
    }
    expect(requests).toContain('http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512')
    expect(announced(idpMetadata, 'alg:SigningMethod').toSorted()).toEqual(requests.toSorted())
    expect(announced(spMetadata, 'alg:SigningMethod').toSorted()).toEqual(assertions.toSorted())
  })

  it('names exactly the digest algorithms that it accepts', () => {
    const accepted = DIGESTS.filter((digest) => acceptsAssertion({ digest }))
    for (const metadata of [idpMetadata, spMetadata])
      expect(announced(metadata, 'alg:DigestMethod').toSorted()).toEqual(accepted.toSorted())
  })

  it('names exactly the encryption that it can decrypt, at the encryption key', () => {
    const signed = signXml(responseXml(), 'Assertion')
    const decrypts = (encrypting: Parameters<typeof encryptXml>[1]) => {
      const xml = encryptXml(signed, encrypting)
      return verifyResponse({ xml }, expectations({ now: NOW, decryptionKeys: [spKey.privateKey] })).accepted
    }
    const descriptor = /<md:KeyDescriptor use="encryption">.*?<\/md:KeyDescriptor>/.exec(spMetadata)?.[0] ?? ''
    expect(descriptor).toContain(certificateBody(spKey.certificate))
    const accepted = [
      ...CONTENTS.filter((content) => decrypts({ content })),
      ...TRANSPORTS.filter((transport) => decrypts({ transport })),
    ]
    expect(accepted).toContain(`${XENC11}aes128-gcm`)
    const methods = [...new Set(announced(descriptor, 'md:EncryptionMethod'))]
    expect(methods.toSorted()).toEqual(accepted.toSorted())
    for (const other of [idpMetadata, spMetadata.replace(descriptor, '')])
      expect(other).not.toContain('EncryptionMethod')

    // The parameters of each key transport: a digest, and a mask with the same hash.
    const transports = [
      ...descriptor.matchAll(/<md:EncryptionMethod Algorithm="([^"]*rsa-oaep[^"]*)">(.*?)<\/md:EncryptionMethod>/g),
    ]
    expect(transports.length).toBeGreaterThanOrEqual(3)
    for (const [, transport = '', parameters = ''] of transports) {
      const hash = hashIn(/<ds:DigestMethod [^>]*Algorithm="([^"]+)"/.exec(parameters)?.[1] ?? '') as 'sha1'
      expect(decrypts({ transport, parameters, hash }), parameters).toBe(true)
    }
    const weak = `<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#sha224"/>`
    expect(descriptor.includes('sha224')).toBe(decrypts({ transport: `${XENC11}rsa-oaep`, parameters: weak }))
  })

  it('states the sizes of the keys', () => {
    expect(idpMetadata).toContain('#rsa-sha256" MinKeySize="2048" MaxKeySize="4096"')
    expect(idpMetadata).toContain('#ecdsa-sha256" MinKeySize="256" MaxKeySize="521"')
  })
})
