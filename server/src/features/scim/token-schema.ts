import Type from 'typebox'
import { TokenEnd } from '../credentials/index.js'
import { DisplayName } from '../settings/index.js'
import { type ScimToken, statusOf } from './token.js'

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Timestamp = Type.String({ format: 'date-time' })

export const CreateScimToken = Type.Object({ name: Type.Optional(DisplayName), ...TokenEnd })

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
  { ...shown, token: Type.String({ description: 'Shown this once' }) },
  { $id: 'CreatedScimToken' },
)
export const ScimTokenList = Type.Object({
  data: Type.Array(ScimTokenBody),
  written: Type.Object(
    { users: Type.Integer(), suspended: Type.Integer({ description: 'Of these users' }), groups: Type.Integer() },
    { description: 'How many of the team’s users and groups a directory has made or changed by SCIM' },
  ),
})

export const ScimRequestList = Type.Object({
  data: Type.Array(
    Type.Object(
      {
        id: Type.String(),
        createdAt: Timestamp,
        method: Type.String(),
        path: Type.String({ description: 'Behind `/scim/v2/{orgRef}`; the values of a filter are left out' }),
        status: Type.Integer(),
        scimType: nullable(Type.String()),
        detail: nullable(Type.String()),
        token: nullable(Type.Object({ id: Type.String(), name: Type.String() })),
      },
      { $id: 'ScimRequest' },
    ),
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
  status: statusOf(token, now),
})
