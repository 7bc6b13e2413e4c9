import Type from 'typebox'
import { nullable, timestamp } from '../../platform/http/schema-parts.js'
import { PERMISSIONS } from '../permissions/index.js'
import { DisplayName } from '../settings/index.js'
import { type AccessToken, apiTokenStatus } from './token.js'

const Scope = Type.Unsafe<string>({ type: 'string', enum: [...PERMISSIONS] })

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

/** Returns the fields of a token of either kind in the order of the response: `own` are those of its kind. */
export const tokenFields = <Own extends Type.TProperties>(statuses: string, own: Own) => ({
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters of the token' }),
  ...own,
  createdBy: Type.Object({ id: Type.String(), email: Type.String() }),
  createdAt: timestamp(),
  expiresAt: nullable(timestamp()),
  lastUsedAt: nullable(timestamp('To the minute')),
  status: Type.String({ description: statuses }),
})

const shown = tokenFields('active, expired or revoked', { scopes: Type.Array(Type.String()) })

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

/** Presents a token of either kind: `own` are the fields of its kind. */
export const presentToken = <Own extends object>(token: AccessToken, status: string, own: Own) => ({
  id: token.id,
  name: token.name,
  prefix: token.prefix,
  ...own,
  createdBy: token.createdBy,
  createdAt: token.createdAt.toISOString(),
  expiresAt: token.expiresAt?.toISOString() ?? null,
  lastUsedAt: token.lastUsedAt?.toISOString() ?? null,
  status,
})

export const presentApiToken = (token: AccessToken, now: Date) =>
  presentToken(token, apiTokenStatus(token, now), { scopes: token.permissions })
