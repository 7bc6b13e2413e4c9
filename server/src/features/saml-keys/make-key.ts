import type { KeyObject } from 'node:crypto'
import { type Clock, DAY, fromNow } from '../../platform/clock.js'
import type { Envelope } from '../../platform/crypto/envelope.js'
import { uuidv7 } from '../../platform/crypto/random.js'
import type { SamlKeyId } from '../../platform/ids.js'
import { makeCertificate } from '../../protocols/saml/index.js'
import type { samlKeys } from './tables.js'

/** Peers pin certificates by hand, and some stop at the end that stands in it: it ends after any key that is looked after. */
const YEARS = 10
/** A certificate that begins now has not begun for a peer whose clock is behind. */
const BACK = DAY

/** As it lies in the database but for whose it is and what it does. */
export type NewKey = Pick<
  typeof samlKeys.$inferSelect,
  'id' | 'sealedPrivateKey' | 'notAfter' | 'createdAt' | 'certificate'
>

/** What a key is sealed for: the row of this id. */
export const contextOf = (id: SamlKeyId): string => `saml-key:${id}`

/** @param name of the owner, for the certificate: whoever looks at it over there sees whose it is */
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
