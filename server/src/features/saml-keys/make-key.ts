import type { KeyObject } from 'node:crypto'
import { type Clock, DAY, fromNow } from '../../platform/clock.js'
import type { Envelope } from '../../platform/crypto/envelope.js'
import { uuidv7 } from '../../platform/crypto/random.js'
import type { SamlKeyId } from '../../platform/ids.js'
import { makeCertificate } from '../../protocols/saml/index.js'
import type { samlKeys } from './tables.js'

/** Some peers stop at the expiry of a pinned certificate, so it exceeds the lifetime of a maintained key. */
const YEARS = 10
/** The certificate starts earlier, for peers whose clocks are slow. */
const BACK = DAY

/** A key as stored, without its owner and state. */
export type NewKey = Pick<
  typeof samlKeys.$inferSelect,
  'id' | 'sealedPrivateKey' | 'notAfter' | 'createdAt' | 'certificate'
>

/** The encryption context of a private key. */
export const contextOf = (id: SamlKeyId): string => `saml-key:${id}`

/** Returns the key with a self-signed certificate. @param name the common name, so that administrators of peers recognize the owner */
export function certified(
  { clock, envelope }: { clock: Clock; envelope: Envelope },
  privateKey: KeyObject,
  name: string,
): NewKey {
  const id = uuidv7<SamlKeyId>(clock)
  const createdAt = clock.now()
  const notAfter = new Date(createdAt)
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + YEARS)
  return {
    id,
    createdAt,
    notAfter,
    certificate: makeCertificate({ privateKey, commonName: name, from: fromNow(clock, -BACK), until: notAfter }),
    sealedPrivateKey: envelope.seal(privateKey.export({ format: 'der', type: 'pkcs8' }), contextOf(id)),
  }
}
