import { assertionOf, attackerKey, encryptXml, responseXml, signXml, VICTIM } from '../saml-peer.js'
import { DSIG, forged, type Hostile, nameId, replaced, right, XENC } from './attack.js'

/** Encrypted by anybody, since our certificate is public. */
export const ENCRYPTED: Hostile[] = [
  ['encrypted, and not signed anywhere', 'signature', () => encryptXml(forged(responseXml()))],
  [
    'encrypted, signed inside by a foreign key',
    'signature',
    () => encryptXml(right(nameId(VICTIM), { key: attackerKey })),
  ],
  ['encrypted, changed after it was signed inside', 'signature', () => encryptXml(forged(right()))],
  ['encrypted to somebody else', 'encryption', () => encryptXml(right(), { key: attackerKey.privateKey })],
  ['encrypted, and no key to read it', 'encryption', () => encryptXml(right()), { decryptionKeys: [] }],
  ['encrypted with RSA-PKCS1v1.5', 'encryption', () => encryptXml(right(), { transport: `${XENC}rsa-1_5` })],
  [
    'encrypted with a cipher that is not taken',
    'encryption',
    () => replaced(encryptXml(right(), { content: `${XENC}aes256-cbc` }), `${XENC}aes256-cbc`, `${XENC}tripledes-cbc`),
  ],
  [
    'encrypted with OAEP parameters that are not taken',
    'encryption',
    () => encryptXml(right(), { parameters: `<ds:DigestMethod Algorithm="${DSIG}md5"/>` }),
  ],
  [
    'encrypted, one byte of it changed',
    'encryption',
    () => {
      const xml = encryptXml(right())
      const last = /(.)(.{3})(<\/xenc:CipherValue>)(?![\s\S]*CipherValue)/.exec(xml)
      return replaced(xml, last?.[0] ?? '', `${last?.[1] === 'A' ? 'B' : 'A'}${last?.[2]}${last?.[3]}`)
    },
  ],
  [
    'encrypted in CBC, cut off',
    'encryption',
    () =>
      replaced(
        encryptXml(right(), { content: `${XENC}aes256-cbc` }),
        /.{24}(<\/xenc:CipherValue>)(?![\s\S]*CipherValue)/,
        '</xenc:CipherValue>',
      ),
  ],
  [
    'encrypted, two assertions inside of each other',
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
