import Type from 'typebox'
import { nullable, oneOf, timestamp } from '../../../platform/http/schema-parts.js'
import { ALGORITHMS } from './key-algorithms.js'
import type { StoredKey } from './key-repository.js'

const Kid = Type.String({ minLength: 1, maxLength: 100, pattern: '^[\\x21-\\x7e]+$' })
const Pem = (description: string) => Type.String({ maxLength: 32_768, description })
const AsDefault = Type.Optional(
  Type.Boolean({ description: 'Signs ID and access tokens instead of the current default key; default false' }),
)
const ForAccessTokens = Type.Optional(
  Type.Boolean({ description: 'Signs access tokens instead of the default key; only for ES256' }),
)
export const ImportKey = Type.Object({
  kid: Kid,
  algorithm: oneOf(...ALGORITHMS),
  publicKey: Pem('PEM: SPKI, PKCS #1 or a certificate'),
  privateKey: Pem('PEM: PKCS #8, PKCS #1 or SEC 1, not encrypted'),
  certChain: Type.Optional(nullable(Pem('PEM: the certificate of the key, then those of its issuers'))),
  isDefault: AsDefault,
})
export const GenerateKey = Type.Object({
  algorithm: oneOf(...ALGORITHMS),
  kid: Type.Optional(Kid),
  isDefault: AsDefault,
  useForAccessTokens: ForAccessTokens,
})
export const UpdateKey = Type.Object({ isDefault: AsDefault, useForAccessTokens: ForAccessTokens })
export const KeyBody = Type.Object(
  {
    id: Type.String(),
    kid: Type.String(),
    algorithm: Type.String(),
    isDefault: Type.Boolean(),
    useForAccessTokens: Type.Boolean(),
    hasCertificate: Type.Boolean(),
    createdAt: timestamp(),
    retiredAt: Type.Optional(timestamp('When the key stopped signing')),
    publishedUntil: Type.Optional(timestamp('Until when the JWKS contains a retired key')),
  },
  { $id: 'SigningKey' },
)
export const Keys = Type.Object({ data: Type.Array(KeyBody) })
export const DeleteKeyQuery = Type.Object({
  immediately: Type.Optional(
    Type.Boolean({ description: 'Deletes the key, which invalidates its tokens immediately' }),
  ),
})
export const DeletedKey = Type.Object({
  deleted: Type.Literal(true),
  id: Type.String(),
  publishedUntil: Type.Optional(timestamp()),
})

export const RotateTeamKey = Type.Object({
  immediately: Type.Optional(
    Type.Boolean({ description: 'Deletes all previous keys, which invalidates their tokens immediately' }),
  ),
})

/** Presents a key without its private key. */
export const presentKey = (key: StoredKey) => ({
  id: key.id,
  kid: key.kid,
  algorithm: key.algorithm,
  isDefault: key.isDefault,
  useForAccessTokens: key.useForAccessTokens,
  hasCertificate: key.certificateChain !== null,
  createdAt: key.createdAt.toISOString(),
  retiredAt: key.retiredAt?.toISOString(),
  publishedUntil: key.publishedUntil?.toISOString(),
})
