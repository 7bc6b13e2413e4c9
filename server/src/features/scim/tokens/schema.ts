import Type from 'typebox'
import { type ScimToken, scimTokenStatus, TokenExpiryFields } from '../../access-tokens/index.js'
import { DisplayName } from '../../settings/index.js'
import { nullable } from '../model/schema.js'

const Timestamp = Type.String({ format: 'date-time' })

export const CreateScimToken = Type.Object({ name: Type.Optional(DisplayName), ...TokenExpiryFields })

const shown = {
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters of the token' }),
  createdBy: Type.Object({ id: Type.String(), email: Type.String() }),
  createdAt: Timestamp,
  expiresAt: nullable(Timestamp),
  lastUsedAt: nullable(Type.String({ format: 'date-time', description: 'To the minute' })),
  status: Type.String({
    description: 'active, expired, revoked, or orphaned: the creator no longer has the permission to create one',
  }),
}

export const ScimTokenBody = Type.Object(shown, { $id: 'ScimToken' })
export const CreatedScimToken = Type.Object(
  { ...shown, token: Type.String({ description: 'Returned only once' }) },
  { $id: 'CreatedScimToken' },
)
export const ScimTokenList = Type.Object({
  data: Type.Array(ScimTokenBody),
  written: Type.Object(
    { users: Type.Integer(), suspended: Type.Integer({ description: 'Of these users' }), groups: Type.Integer() },
    { description: 'The number of users and groups of the team that were created or changed by SCIM' },
  ),
})

export const presentScimToken = (token: ScimToken, now: Date) => ({
  id: token.id,
  name: token.name,
  prefix: token.prefix,
  createdBy: token.createdBy,
  createdAt: token.createdAt.toISOString(),
  expiresAt: token.expiresAt?.toISOString() ?? null,
  lastUsedAt: token.lastUsedAt?.toISOString() ?? null,
  status: scimTokenStatus(token, now),
})
