import { assertionOf, attackerKey, encryptXml, responseXml, signXml, VICTIM } from '../../peers/saml-peer.js'
import { DSIG, forged, type Hostile, nameId, replaced, right, XENC } from './attack.js'

/** Encrypted by an attacker, because Keyward's certificate is public. */
export const ENCRYPTED: Hostile[] = [
  ['encrypted without any signature', 'signature', () => encryptXml(forged(responseXml()))],
  [
    'encrypted, signed inside with a foreign key',
    'signature',
    () => encryptXml(right(nameId(VICTIM), { key: attackerKey })),
  ],
  ['encrypted, changed after it was signed inside', 'signature', () => encryptXml(forged(right()))],
  ['encrypted to another recipient', 'encryption', () => encryptXml(right(), { key: attackerKey.privateKey })],
  ['encrypted without a decryption key', 'encryption', () => encryptXml(right()), { decryptionKeys: [] }],
  ['encrypted with RSA-PKCS1v1.5', 'encryption', () => encryptXml(right(), { transport: `${XENC}rsa-1_5` })],
  [
    'encrypted with an unsupported cipher',
    'encryption',
    () => replaced(encryptXml(right(), { content: `${XENC}aes256-cbc` }), `${XENC}aes256-cbc`, `${XENC}tripledes-cbc`),
  ],
  [
    'encrypted with unsupported OAEP parameters',
    'encryption',
    () => encryptXml(right(), { parameters: `<ds:DigestMethod Algorithm="${DSIG}md5"/>` }),
  ],
  [
    'encrypted with one byte changed',
    'encryption',
    () => {
      const xml = encryptXml(right())
      const last = /(.)(.{3})(<\/xenc:CipherValue>)(?![\s\S]*CipherValue)/.exec(xml)
      return replaced(xml, last?.[0] ?? '', `${last?.[1] === 'A' ? 'B' : 'A'}${last?.[2]}${last?.[3]}`)
    },
  ],
  [
    'encrypted in CBC and truncated',
    'encryption',
    () =>
      replaced(
        encryptXml(right(), { content: `${XENC}aes256-cbc` }),
        /.{24}(<\/xenc:CipherValue>)(?![\s\S]*CipherValue)/,
        '</xenc:CipherValue>',
      ),
  ],
  [
    'encrypted with nested assertions',
    'assertion',
    () =>
      encryptXml(
        signXml(responseXml({ conditions: assertionOf(responseXml({ assertionId: '_other' })) }), 'Assertion'),
      ),
  ],
  [
    'encrypted data elsewhere, by reference',
    'encryption',
    () =>
      replaced(
        encryptXml(right()),
        /<xenc:CipherData>(?!.*<xenc:CipherData>).*<\/xenc:CipherData>/,
        '<xenc:CipherData><xenc:CipherReference URI="https://attacker.example/"/></xenc:CipherData>',
      ),
  ],
]
