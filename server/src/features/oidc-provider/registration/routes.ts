import Type from 'typebox'
import type { HttpExchange } from '../../../platform/http/http-exchange.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { ISSUER_BASE } from '../model/issuer.js'
import { ISSUER_ENDPOINT, OAUTH_ENDPOINT } from '../model/issuer-routes.js'
import { deleteClient, readClient, replaceClient } from './manage-client.js'
import { registerClient } from './register-client.js'
import { NewClient, RegisterClient, RegisterClientOfTeam, RegisteredClient, ReplaceClient } from './schema.js'

const HEADERS = {
  'x-api-token':
    'Required: API_TOKEN of the instance, for any team, or an API token of the team with the scope applications:write (also accepted as a Bearer token)',
}
const REGISTRATION_ERRORS = [
  'invalid_token',
  'insufficient_scope',
  'invalid_client_metadata',
  'invalid_redirect_uri',
  'team_suspended',
  'limit_reached',
]
const MANAGEMENT = {
  ...OAUTH_ENDPOINT,
  path: '/api/v1/oauth/register/:clientId',
  headers: { authorization: 'Required: `Bearer` and the registration access token' },
  params: Type.Object({ clientId: Type.String() }),
} as const

const bearerOf = (http: HttpExchange): string | undefined =>
  /^bearer +(\S+)$/i.exec(http.header('authorization') ?? '')?.[1]

/** Dynamic client registration (RFC 7591) and its management (RFC 7592). */
export const registrationRoutes = (deps: OidcProviderDeps): Route[] => [
  defineRoute({
    ...OAUTH_ENDPOINT,
    method: 'POST',
    path: '/api/v1/oauth/register',
    summary: 'Register a client of a team (RFC 7591)',
    description:
      'Unknown fields are ignored, except fields that request an unsupported feature: these are rejected. Only this response contains the secret and the registration access token.',
    headers: HEADERS,
    body: RegisterClient,
    responses: { 201: NewClient },
    errors: [...REGISTRATION_ERRORS, 'organization_not_found'],
    handle: ({ body: metadata, origin, http }) =>
      registerClient(deps, {
        metadata,
        header: http.header('x-api-token'),
        bearer: bearerOf(http),
        issuer: undefined,
        origin,
      }),
  }),
  defineRoute({
    ...ISSUER_ENDPOINT,
    method: 'POST',
    path: `${ISSUER_BASE}/:issuer/register`,
    summary: "Register a client of a team at its issuer's registration_endpoint (RFC 7591)",
    description: 'As `POST /api/v1/oauth/register`, for the team in the URL.',
    headers: HEADERS,
    params: Type.Object({ issuer: Type.String({ description: 'ID of a team' }) }),
    body: RegisterClientOfTeam,
    responses: { 201: NewClient },
    errors: [...REGISTRATION_ERRORS, 'issuer_not_found'],
    handle: ({ params: { issuer }, body: metadata, origin, http }) =>
      registerClient(deps, { metadata, header: http.header('x-api-token'), bearer: bearerOf(http), issuer, origin }),
  }),
  defineRoute({
    ...MANAGEMENT,
    method: 'GET',
    summary: 'Get the registration of a client with its registration access token (RFC 7592)',
    responses: { 200: RegisteredClient },
    errors: ['invalid_token'],
    handle: ({ params: { clientId }, origin, http }) => readClient(deps, { clientId, token: bearerOf(http), origin }),
  }),
  defineRoute({
    ...MANAGEMENT,
    method: 'PUT',
    summary: 'Replace the metadata of a client with its registration access token (RFC 7592)',
    description: 'Omitted fields are reset to their defaults. The secret does not change.',
    body: ReplaceClient,
    responses: { 200: RegisteredClient },
    errors: ['invalid_token', 'invalid_client_metadata', 'invalid_redirect_uri'],
    handle: ({ params: { clientId }, body, origin, http }) =>
      replaceClient(deps, { clientId, token: bearerOf(http), origin }, body),
  }),
  defineRoute({
    ...MANAGEMENT,
    method: 'DELETE',
    summary: 'Delete a client and its tokens with its registration access token (RFC 7592)',
    responses: { 204: Type.Null({ description: 'Deleted' }) },
    errors: ['invalid_token'],
    handle: async ({ params: { clientId }, origin, http }) => {
      await deleteClient(deps, { clientId, token: bearerOf(http), origin })
      return null
    },
  }),
]
