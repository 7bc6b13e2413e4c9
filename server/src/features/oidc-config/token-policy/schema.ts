import Type from 'typebox'
import { timestamp } from '../../../platform/http/schema-parts.js'
import type { StoredPolicy } from './policy-repository.js'

const Lifetime = Type.Integer({ minimum: 60, maximum: 31_536_000, description: 'Seconds' })
export const PutTokenPolicy = Type.Object({
  accessTokenLifetime: Type.Optional(Lifetime),
  idTokenLifetime: Type.Optional(Lifetime),
  refreshTokenLifetime: Type.Optional(Type.Integer({ minimum: 3_600, maximum: 315_360_000, description: 'Seconds' })),
  rotationEnabled: Type.Optional(Type.Boolean({ description: 'Whether each use of a refresh token replaces it' })),
  reuseInterval: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 3_600,
      description: 'Seconds for which a rotated refresh token returns the same successor again',
    }),
  ),
})
export const TokenPolicyBody = Type.Object(
  {
    accessTokenLifetime: Type.Integer(),
    idTokenLifetime: Type.Integer(),
    refreshTokenLifetime: Type.Integer(),
    rotationEnabled: Type.Boolean(),
    reuseInterval: Type.Integer(),
    updatedAt: timestamp(),
  },
  { $id: 'TokenPolicy' },
)

export const presentPolicy = (policy: StoredPolicy) => ({
  accessTokenLifetime: policy.accessTokenLifetime,
  idTokenLifetime: policy.idTokenLifetime,
  refreshTokenLifetime: policy.refreshTokenLifetime,
  rotationEnabled: policy.rotationEnabled,
  reuseInterval: policy.reuseInterval,
  updatedAt: policy.updatedAt.toISOString(),
})
