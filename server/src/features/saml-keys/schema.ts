import Type from 'typebox'
import { timestamp } from '../../platform/http/schema-parts.js'
import { readCertificate } from '../../protocols/saml/index.js'
import type { StoredSamlKey } from './repository.js'

export const SamlKeyBody = Type.Object(
  {
    id: Type.String(),
    state: Type.Unsafe<StoredSamlKey['state']>({
      type: 'string',
      enum: ['next', 'active', 'retired'],
      description: '`active` signs, `next` is published but does not sign yet, `retired` is published until it expires',
    }),
    certificate: Type.String({ description: 'PEM' }),
    fingerprint: Type.String({ description: 'SHA-256 of the certificate, 64 hexadecimal digits' }),
    notAfter: timestamp('Expiry of the certificate'),
    createdAt: timestamp(),
    endsAt: Type.Optional(timestamp('When a retired key is deleted')),
  },
  { $id: 'SamlKey' },
)
export const SamlKeyList = Type.Object({ data: Type.Array(SamlKeyBody) })
export const ActivateKey = Type.Object({
  immediately: Type.Optional(
    Type.Boolean({ description: 'Deletes the previous key immediately, for one that may be compromised' }),
  ),
})
export const EndedKey = Type.Object({ deleted: Type.Literal(true), id: Type.String() })

/** The private key is never returned. */
export const presentSamlKey = (key: StoredSamlKey) => ({
  id: key.id,
  state: key.state,
  certificate: key.certificate,
  fingerprint: fingerprintOf(key.certificate),
  notAfter: key.notAfter.toISOString(),
  createdAt: key.createdAt.toISOString(),
  endsAt: key.endsAt?.toISOString(),
})

function fingerprintOf(pem: string): string {
  const read = readCertificate(pem)
  return 'fault' in read ? '' : read.fingerprint
}
