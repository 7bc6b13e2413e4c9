import { constants, createCipheriv, publicEncrypt, randomBytes } from 'node:crypto'
import { NS } from '../xml/names.js'
import { readCertificate } from './certificates.js'
import { keyInfoXml } from './sign-element.js'

const KEY_BYTES = 32
const IV_BYTES = 12

/**
 * Encrypts an assertion to one service provider (XML Encryption 1.1): AES-256-GCM under RSA-OAEP. The key transport is the older
 * `rsa-oaep-mgf1p` with SHA-1, its default, because all service providers support it and many support no other. Collisions of SHA-1 do not
 * weaken OAEP.
 * @param assertion signed XML that declares its own namespaces
 * @param certificate the service provider's, with an RSA key
 */
export function encryptAssertion(assertion: string, certificate: string): string {
  const recipient = readCertificate(certificate)
  if ('violation' in recipient || recipient.keyType !== 'RSA')
    throw new Error('An assertion can only be encrypted to a certificate with an RSA key')
  const secret = randomBytes(KEY_BYTES)
  const iv = randomBytes(IV_BYTES)
  const gcm = createCipheriv('aes-256-gcm', secret, iv)
  const content = Buffer.concat([iv, gcm.update(assertion, 'utf8'), gcm.final(), gcm.getAuthTag()]).toString('base64')
  const wrapped = publicEncrypt(
    { key: recipient.publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' },
    secret,
  ).toString('base64')
  const encryptedKey = `<xenc:EncryptedKey><xenc:EncryptionMethod Algorithm="${NS.xenc}rsa-oaep-mgf1p"><ds:DigestMethod xmlns:ds="${NS.dsig}" Algorithm="${NS.dsig}sha1"/></xenc:EncryptionMethod>${keyInfoXml(recipient.pem)}<xenc:CipherData><xenc:CipherValue>${wrapped}</xenc:CipherValue></xenc:CipherData></xenc:EncryptedKey>`
  return `<saml:EncryptedAssertion xmlns:saml="${NS.assertion}"><xenc:EncryptedData xmlns:xenc="${NS.xenc}" Type="${NS.xenc}Element"><xenc:EncryptionMethod Algorithm="${NS.xenc11}aes256-gcm"/><ds:KeyInfo xmlns:ds="${NS.dsig}">${encryptedKey}</ds:KeyInfo><xenc:CipherData><xenc:CipherValue>${content}</xenc:CipherValue></xenc:CipherData></xenc:EncryptedData></saml:EncryptedAssertion>`
}
