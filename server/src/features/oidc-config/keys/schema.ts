import Type from 'typebox'
import { ALGORITHMS } from './key-algorithms.js'
import type { StoredKey } from './key-repository.js'

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const oneOf = <const Name extends string>(names: readonly Name[]) =>
  Type.Unsafe<Name>({ type: 'string', enum: [...names] })
const Timestamp = Type.String({ format: 'date-time' })

const Kid = Type.String({ minLength: 1, maxLength: 100, pattern: '^[\\x21-\\x7e]+$' })
const Pem = (description: string) => Type.String({ maxLength: 32_768, description })
const AsDefault = Type.Optional(
  Type.Boolean({ description: 'Signs ID and access tokens, in the place of the key that did; default false' }),
)
const ForAccessTokens = Type.Optional(
  Type.Boolean({ description: 'Signs access tokens in the place of the default key; only an ES256 key' }),
)
export const ImportKey = Type.Object({
  kid: Kid,
  algorithm: oneOf(ALGORITHMS),
  publicKey: Pem('PEM: SPKI, PKCS #1 or a certificate'),
  privateKey: Pem('PEM: PKCS #8, PKCS #1 or SEC 1, not encrypted'),
  certChain: Type.Optional(nullable(Pem('PEM: the certificate of the key, then those above it'))),
  isDefault: AsDefault,
})
export const GenerateKey = Type.Object({
  algorithm: oneOf(ALGORITHMS),
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
    createdAt: Timestamp,
    retiredAt: Type.Optional(Type.String({ format: 'date-time', description: 'Since when it signs nothing' })),
    publishedUntil: Type.Optional(
      Type.String({ format: 'date-time', description: 'Until when a key that signs nothing verifies' }),
    ),
  },
  { $id: 'SigningKey' },
)
export const Keys = Type.Object({ data: Type.Array(KeyBody) })
export const DeleteKeyQuery = Type.Object({
  immediately: Type.Optional(
    Type.Boolean({ description: 'The key verifies nothing any more: what it signed is dead at once' }),
  ),
})
export const DeletedKey = Type.Object({
  deleted: Type.Literal(true),
  id: Type.String(),
  publishedUntil: Type.Optional(Timestamp),
})

export const RotateTeamKey = Type.Object({
  immediately: Type.Optional(
    Type.Boolean({ description: 'All keys before it verify nothing any more: what they signed is dead at once' }),
  ),
})

/** Nothing of the private half is ever shown. */
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
