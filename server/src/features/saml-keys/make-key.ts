import type { KeyObject } from 'node:crypto'
import { type Clock, DAY, fromNow } from '../../platform/clock.js'
import type { Envelope } from '../../platform/crypto/envelope.js'
import { uuidv7 } from '../../platform/crypto/random.js'
import type { SamlKeyId } from '../../platform/ids.js'
import { makeCertificate } from '../../protocols/saml/index.js'
import type { samlKeys } from './tables.js'

/** The validity of a certificate. Longer than a key is used, because some peers reject a pinned certificate after its expiry. */
const CERTIFICATE_YEARS = 10
/** How far the start of the validity is in the past, for peers whose clocks are slow. */
const BACKDATED = DAY

/** The columns of a new key, without its owner and state. */
export type NewKey = Pick<
  typeof samlKeys.$inferSelect,
  'id' | 'sealedPrivateKey' | 'notAfter' | 'createdAt' | 'certificate'
>

/** The encryption context of a private key. */
export const contextOf = (id: SamlKeyId): string => `saml-key:${id}`

/** Returns a key with a self-signed certificate. @param name the common name, by which administrators of peers recognize the owner */
export function withCertificate(
  { clock, envelope }: { clock: Clock; envelope: Envelope },
  privateKey: KeyObject,
  name: string,
): NewKey {
  const id = uuidv7<SamlKeyId>(clock)
  const createdAt = clock.now()
  const notAfter = new Date(createdAt)
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + CERTIFICATE_YEARS)
  return {
    id,
    createdAt,
    notAfter,
    certificate: makeCertificate({ privateKey, commonName: name, from: fromNow(clock, -BACKDATED), until: notAfter }),
    sealedPrivateKey: envelope.seal(privateKey.export({ format: 'der', type: 'pkcs8' }), contextOf(id)),
  }
}
