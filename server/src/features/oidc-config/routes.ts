import { declaredFields } from '../../platform/http/declared-fields.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { APPLICATION_ERRORS, CONFIG, READ, WRITE } from './application-routes.js'
import { previewClaims } from './claims/preview.js'
import { claimRoutes } from './claims/routes.js'
import type { OidcConfigDeps } from './deps.js'
import { keyRoutes } from './keys/routes.js'
import { readConfiguration } from './queries.js'
import { ConfigurationBody, PreviewBody, PreviewRequest, presentConfiguration } from './schema.js'
import { scopeRoutes } from './scopes/routes.js'
import { changeTokenPolicy } from './token-policy/change-token-policy.js'
import { PutTokenPolicy, presentPolicy, TokenPolicyBody } from './token-policy/schema.js'

export const oidcConfigRoutes = (deps: OidcConfigDeps): Route[] => [
  defineRoute({
    ...READ,
    method: 'GET',
    path: CONFIG,
    summary: 'Get the token configuration of an application',
    responses: { 200: ConfigurationBody },
    errors: APPLICATION_ERRORS,
    handle: async ({ actor, params }) => presentConfiguration(await readConfiguration(deps, actor, params.appId)),
  }),
  ...scopeRoutes(deps),
  ...claimRoutes(deps),
  ...keyRoutes(deps),
  defineRoute({
    ...READ,
    method: 'GET',
    path: `${CONFIG}/token-policy`,
    summary: 'Get the token policy of an application',
    responses: { 200: TokenPolicyBody },
    errors: APPLICATION_ERRORS,
    handle: async ({ actor, params }) =>
      presentPolicy((await readConfiguration(deps, actor, params.appId)).tokenPolicy),
  }),
  defineRoute({
    ...WRITE,
    method: 'PUT',
    path: `${CONFIG}/token-policy`,
    summary: 'Change the given fields of the token policy of an application',
    description: 'Applies to new tokens; issued tokens keep their expiry.',
    body: PutTokenPolicy,
    responses: { 200: TokenPolicyBody },
    errors: APPLICATION_ERRORS,
    handle: async ({ actor, params, body }) =>
      presentPolicy(await changeTokenPolicy(deps, actor, params.appId, declaredFields(body, PutTokenPolicy))),
  }),
  defineRoute({
    ...READ,
    method: 'POST',
    path: `${CONFIG}/preview`,
    summary: 'Preview the claims of a user in the tokens of an application',
    description:
      'Returns each claim with its source, and its value before and after its rule. Issues no token. Also requires the permission `users:read`, because the response contains data of users.',
    body: PreviewRequest,
    responses: { 200: PreviewBody },
    errors: [...APPLICATION_ERRORS, 'user_not_found'],
    handle: ({ actor, params, body }) => previewClaims(deps, actor, params.appId, body),
  }),
]
