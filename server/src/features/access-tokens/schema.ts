import Type from 'typebox'
import { PERMISSIONS } from '../permissions/index.js'
import { DisplayName } from '../settings/index.js'
import { type ApiToken, statusOf } from './api-token.js'

const Scope = Type.Unsafe<string>({ type: 'string', enum: [...PERMISSIONS] })
const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Timestamp = Type.String({ format: 'date-time' })

/** The requested expiry of a token. */
export const TokenExpiryFields = {
  expiresAt: Type.Optional(
    nullable(Type.String({ maxLength: 40, format: 'date-time', description: 'RFC 3339, in the future' })),
  ),
  expiresInDays: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 1,
        maximum: 3_650,
        description: 'Alternative to expiresAt; without either the token does not expire',
      }),
    ),
  ),
}

export const CreateApiToken = Type.Object({
  name: DisplayName,
  scopes: Type.Array(Scope, {
    minItems: 1,
    maxItems: 100,
    description: 'Permissions (GET /permissions); only those that the caller has',
  }),
  ...TokenExpiryFields,
})

const shown = {
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters of the token' }),
  scopes: Type.Array(Type.String()),
  createdBy: Type.Object({ id: Type.String(), email: Type.String() }),
  createdAt: Timestamp,
  expiresAt: nullable(Timestamp),
  lastUsedAt: nullable(Type.String({ format: 'date-time', description: 'To the minute' })),
  status: Type.String({ description: 'active, expired or revoked' }),
}

export const ApiTokenBody = Type.Object(shown, { $id: 'ApiToken' })
export const CreatedApiToken = Type.Object(
  { ...shown, token: Type.String({ description: 'Returned only in this response' }) },
  { $id: 'CreatedApiToken' },
)
export const ApiTokenPage = Type.Object({
  data: Type.Array(ApiTokenBody),
  total: Type.Integer(),
  page: Type.Integer(),
  limit: Type.Integer(),
})

export const presentApiToken = (token: ApiToken, now: Date) => ({
  id: token.id,
  name: token.name,
  prefix: token.prefix,
  scopes: token.scopes,
  createdBy: token.createdBy,
  createdAt: token.createdAt.toISOString(),
  expiresAt: token.expiresAt?.toISOString() ?? null,
  lastUsedAt: token.lastUsedAt?.toISOString() ?? null,
  status: statusOf(token, now),
})
