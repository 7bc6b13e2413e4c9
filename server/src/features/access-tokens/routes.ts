import Type from 'typebox'
import { PageQuery, pageOf } from '../../platform/http/paging.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { createApiToken, type TokenDeps } from './create-token.js'
import { listApiTokens, revokeToken } from './manage-tokens.js'
import { ApiTokenBody, ApiTokenPage, CreateApiToken, CreatedApiToken, presentApiToken } from './schema.js'
import { API_TOKENS } from './token.js'

const TAG = 'API tokens'

export const apiTokenRoutes = (deps: TokenDeps): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/v1/api-tokens',
    permission: 'api-tokens:read',
    tag: TAG,
    summary: "List the team's API tokens, newest first, without the token values",
    query: Type.Object(PageQuery),
    responses: { 200: ApiTokenPage },
    handle: async ({ actor, query }) => {
      const page = pageOf(query)
      const { tokens, total } = await listApiTokens(deps, actor, page)
      return { data: tokens.map((token) => presentApiToken(token, deps.clock.now())), total, ...page }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/api-tokens',
    permission: 'api-tokens:write',
    tag: TAG,
    summary: 'Create an API token; only this response contains its value',
    description:
      'Sent as `Authorization: Bearer` or in `x-api-token`, it calls the routes of its scopes in this team, with the current permissions of its creator. Requires an authentication within the last 15 minutes.',
    body: CreateApiToken,
    responses: { 201: CreatedApiToken },
    errors: ['reauthentication_required'],
    handle: async ({ actor, body }) => {
      const { created, token } = await createApiToken(deps, actor, body)
      return { ...presentApiToken(created, deps.clock.now()), token }
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/v1/api-tokens/:id',
    permission: 'api-tokens:write',
    tag: TAG,
    summary: 'Revoke an API token; it stays in the list',
    params: Type.Object({ id: Type.String() }),
    responses: { 200: ApiTokenBody },
    errors: ['api_token_not_found'],
    handle: async ({ actor, params }) =>
      presentApiToken(await revokeToken(API_TOKENS, deps, actor, params.id), deps.clock.now()),
  }),
]
