import Type from 'typebox'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { createScimToken, revokeToken, SCIM_TOKENS } from '../../access-tokens/index.js'
import type { ScimDeps } from '../model/deps.js'
import { listScimTokens } from './list-tokens.js'
import { CreatedScimToken, CreateScimToken, presentScimToken, ScimTokenBody, ScimTokenList } from './schema.js'

const common = { permission: 'scim:token', tag: 'Directories' } as const

export const scimTokenRoutes = (deps: ScimDeps): Route[] => [
  defineRoute({
    ...common,
    method: 'POST',
    path: '/api/v1/directory/scim/token',
    summary: 'Create a SCIM token, which only this response contains',
    description:
      "The token is sent as `Authorization: Bearer` and grants access to `/scim/v2/{orgRef}` of this team only. It has the caller's current permissions, as long as the caller keeps them, and cannot change users with more permissions. Requires authentication within the last 15 minutes.",
    body: CreateScimToken,
    responses: { 201: CreatedScimToken },
    errors: ['reauthentication_required'],
    handle: async ({ actor, body }) => {
      const { created, token } = await createScimToken(deps, actor, body)
      return { ...presentScimToken(created, deps.clock.now()), token }
    },
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: '/api/v1/directory/scim/tokens',
    summary:
      "List the team's SCIM tokens, newest first, and the number of resources they have written; the tokens themselves are never returned",
    responses: { 200: ScimTokenList },
    handle: async ({ actor }) => {
      const { tokens, written } = await listScimTokens(deps, actor)
      return { data: tokens.map((token) => presentScimToken(token, deps.clock.now())), written }
    },
  }),
  defineRoute({
    ...common,
    method: 'DELETE',
    path: '/api/v1/directory/scim/tokens/:id',
    summary: 'Revoke a SCIM token; it remains in the list',
    params: Type.Object({ id: Type.String() }),
    responses: { 200: ScimTokenBody },
    errors: ['scim_token_not_found'],
    handle: async ({ actor, params }) =>
      presentScimToken(await revokeToken(SCIM_TOKENS, deps, actor, params.id), deps.clock.now()),
  }),
]
