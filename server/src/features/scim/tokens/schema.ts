import Type from 'typebox'
import {
  type AccessToken,
  presentToken,
  scimTokenStatus,
  TokenExpiryFields,
  tokenFields,
} from '../../access-tokens/index.js'
import { DisplayName } from '../../settings/index.js'

export const CreateScimToken = Type.Object({ name: Type.Optional(DisplayName), ...TokenExpiryFields })

const shown = tokenFields(
  'active, expired, revoked, or orphaned: the creator no longer has the permission to create one',
  {},
)

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

export const presentScimToken = (token: AccessToken, now: Date) => presentToken(token, scimTokenStatus(token, now), {})
