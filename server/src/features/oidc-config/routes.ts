import Type from 'typebox'
import { declaredFields } from '../../platform/http/declared-fields.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { previewClaims } from './claims/preview.js'
import { claimRoutes } from './claims/routes.js'
import { ruleRoutes } from './claims/rule-routes.js'
import type { OidcConfigDeps } from './deps.js'
import { keyRoutes } from './keys/routes.js'
import { readConfiguration } from './queries.js'
import { ConfigurationBody, PreviewBody, PreviewRequest, presentConfiguration } from './schema.js'
import { scopeRoutes } from './scopes/routes.js'
import { changeTokenPolicy } from './token-policy/change-token-policy.js'
import { PutTokenPolicy, presentPolicy, TokenPolicyBody } from './token-policy/schema.js'

const tag = 'OIDC configuration'
const params = Type.Object({ appId: Type.String() })
const CONFIG = '/api/v1/applications/:appId/oidc-config'

export const oidcConfigRoutes = (deps: OidcConfigDeps): Route[] => [
  defineRoute({
    method: 'GET',
    path: CONFIG,
    permission: 'oidc-config:read',
    tag,
    summary: 'Everything that is configured for the tokens of an application',
    params,
    responses: { 200: ConfigurationBody },
    errors: ['application_not_found', 'application_not_oidc'],
    handle: async ({ actor, params }) => presentConfiguration(await readConfiguration(deps, actor, params.appId)),
  }),
  ...scopeRoutes(deps),
  ...claimRoutes(deps),
  ...ruleRoutes(deps),
  ...keyRoutes(deps),
  defineRoute({
    method: 'GET',
    path: `${CONFIG}/token-policy`,
    permission: 'oidc-config:read',
    tag,
    summary: 'How long the tokens of an application live',
    params,
    responses: { 200: TokenPolicyBody },
    errors: ['application_not_found', 'application_not_oidc'],
    handle: async ({ actor, params }) =>
      presentPolicy((await readConfiguration(deps, actor, params.appId)).tokenPolicy),
  }),
  defineRoute({
    method: 'PUT',
    path: `${CONFIG}/token-policy`,
    permission: 'oidc-config:write',
    tag,
    summary: 'Change how long the tokens of an application live; only what is given changes',
    description: 'It holds for tokens that are given from now on; those that are out keep theirs.',
    params,
    body: PutTokenPolicy,
    responses: { 200: TokenPolicyBody },
    errors: ['application_not_found', 'application_not_oidc'],
    handle: async ({ actor, params, body }) =>
      presentPolicy(await changeTokenPolicy(deps, actor, params.appId, declaredFields(body, PutTokenPolicy))),
  }),
  defineRoute({
    method: 'POST',
    path: `${CONFIG}/preview`,
    permission: 'oidc-config:read',
    tag,
    summary: 'What the tokens of an application would say of a user',
    description:
      'Each claim with where it comes from, and its value before and after its rule. No token is issued. It shows data of users: the permission `users:read` is needed as well.',
    params,
    body: PreviewRequest,
    responses: { 200: PreviewBody },
    errors: ['application_not_found', 'application_not_oidc', 'user_not_found'],
    handle: ({ actor, params, body }) => previewClaims(deps, actor, params.appId, body),
  }),
]
