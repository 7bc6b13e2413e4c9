import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { CERTIFICATE } from '../../../../test/factories/certified-key.js'
import { idpKey, NOW, spKey } from '../../../../test/peers/saml-peer.js'
import { makeCertificate, readCertificate } from '../index.js'
import { certificateBody } from './certificates.js'

const DAY = 86_400_000
const make = (modulusLength: number, commonName = 'x', until = NOW + DAY) => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength })
  return { privateKey, pem: makeCertificate({ privateKey, commonName, from: new Date(NOW), until: new Date(until) }) }
}
/** Created by OpenSSL, valid until 2126; Keyward does not create such certificates. */
const ED25519 = `-----BEGIN CERTIFICATE-----
MIIBQDCB86ADAgECAhQDt5t2jalKRWzM2Fr/jBiwsgFwTzAFBgMrZXAwFTETMBEG
A1UEAwwKZWQuZXhhbXBsZTAgFw0yNjExMjIxNjQxNDFaGA8yMTI2MTAyOTE2NDE0
MVowFTETMBEGA1UEAwwKZWQuZXhhbXBsZTAqMAUGAytlcAMhAIQXteArgQgLkJn3
oBPonbppBJ4iV5oKiHznV0orKi9wo1MwUTAdBgNVHQ4EFgQUKyPg+OKgS1+ZKBQE
eUYxTkqbw3UwHwYDVR0jBBgwFoAUKyPg+OKgS1+ZKBQEeUYxTkqbw3UwDwYDVR0T
AQH/BAUwAwEB/zAFBgMrZXADQQBLfiYOzmC5Fc8CEE20HvS434PeAJVlTx3VCHpi
xmdxv9Q214u+b8A6tzH5pzj8Pq2sTILy7ZLEILzLg35ZqrEN
-----END CERTIFICATE-----`

describe('makeCertificate', () => {
  it.each([2_048, 4_096])('creates a self-signed certificate for a key of %i bits, with name and validity', (bits) => {
    const { privateKey, pem } = make(bits, 'Ünïcode & Co: "x", y=z')
    const x509 = new X509Certificate(pem)
    expect(x509.verify(x509.publicKey)).toBe(true)
    expect(x509.checkPrivateKey(privateKey)).toBe(true)
    expect(x509.checkIssued(x509)).toBe(true)
    expect(x509.ca).toBe(false)
    expect(readCertificate(pem)).toMatchObject({
      pem,
      notBefore: new Date(NOW),
      notAfter: new Date(NOW + DAY),
      fingerprint: x509.fingerprint256.replaceAll(':', '').toLowerCase(),
      keyType: 'RSA',
      keySize: bits,
    })
  })

  it('supports validity beyond 2049, and uses a unique serial number', () => {
    const until = Date.UTC(2061, 0, 2, 3, 4, 5)
    const certificates = [make(2_048, 'x'.repeat(100), until), make(2_048, 'x', until)]
    for (const { pem } of certificates) expect(readCertificate(pem)).toMatchObject({ notAfter: new Date(until) })
    expect(new Set(certificates.map(({ pem }) => new X509Certificate(pem).serialNumber)).size).toBe(2)
  })
})

describe('readCertificate', () => {
  const { certificate } = idpKey
  const body = certificateBody(certificate)

  it.each([
    ['PEM', certificate],
    ['PEM with CRLF and surrounding white space', `\n  ${certificate.replaceAll('\n', '\r\n')}  `],
    ['PEM after other text', `subject=CN = x\n${certificate}`],
    ['bare base64', body],
    ['wrapped base64', body.replaceAll(/(.{76})/g, '$1\n  ')],
    ['PEM in one line', `-----BEGIN CERTIFICATE-----${body}-----END CERTIFICATE-----`],
  ])('reads %s', (_, text) => {
    expect(readCertificate(text)).toMatchObject({ pem: certificate, subject: 'CN=idp.example' })
  })

  it('reads a key on a NIST curve', () => {
    expect(readCertificate(CERTIFICATE)).toMatchObject({ keyType: 'EC', keySize: 256, subject: 'CN=own' })
  })

  const pem = (label: string, der = body) => `-----BEGIN ${label}-----\n${der}\n-----END ${label}-----`
  it.each([
    ['a private key', idpKey.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), /private key/],
    [
      'a private key with its certificate',
      idpKey.privateKey.export({ type: 'pkcs1', format: 'pem' }) + certificate,
      /private key/,
    ],
    ['a public key', pem('PUBLIC KEY'), /public key, not a certificate/],
    ['a certificate request', pem('CERTIFICATE REQUEST'), /certificate request, not a certificate/],
    ['a bundle', certificate + spKey.certificate, /more than one/],
    [
      'two certificates in one base64 string',
      Buffer.concat([Buffer.from(body, 'base64'), Buffer.from(certificateBody(spKey.certificate), 'base64')]).toString(
        'base64',
      ),
      /not an X.509/,
    ],
    ['junk', 'junk!', /neither PEM nor base64/],
    ['junk in base64', Buffer.from('junk that is longer').toString('base64'), /not an X.509/],
    ['nothing', '', /neither PEM nor base64/],
    ['armor without an end', '-----BEGIN CERTIFICATE-----\nMII', /armor/],
    ['a truncated certificate', body.slice(0, 400), /not an X.509/],
    ['a fingerprint', 'AB:CD:EF', /neither PEM nor base64/],
    ['a megabyte', 'A'.repeat(1_000_000), /too long/],
    ['a certificate with a small key', make(1_024).pem, /1024 bits/],
    ['a certificate with an unsupported type of key', ED25519, /neither RSA/],
  ])('rejects %s with a reason', (_, text, why) => {
    const read = readCertificate(text)
    expect('violation' in read && read.violation).toMatch(why)
  })
})
