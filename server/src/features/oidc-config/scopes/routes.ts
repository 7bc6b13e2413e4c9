import Type from 'typebox'
import { declaredFields } from '../../../platform/http/declared-fields.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { APPLICATION_ERRORS, applicationParams, CONFIG, Deleted, listRoute, TAG } from '../application-routes.js'
import type { OidcConfigDeps } from '../deps.js'
import { createScope, deleteScope, updateScope } from './change-scopes.js'
import { CreateScope, presentScope, ScopeBody, UpdateScope } from './schema.js'

const tag = TAG
const params = applicationParams
const one = Type.Object({ appId: Type.String(), scopeId: Type.String() })
const ALL = `${CONFIG}/scopes`
const ONE = `${ALL}/:scopeId`

export const scopeRoutes = (deps: OidcConfigDeps): Route[] => [
  defineRoute({
    method: 'POST',
    path: ALL,
    permission: 'oidc-config:write',
    tag,
    summary: 'Add a scope',
    params,
    body: CreateScope,
    responses: { 201: ScopeBody },
    errors: [...APPLICATION_ERRORS, 'scope_exists', 'limit_reached'],
    handle: async ({ actor, params, body }) =>
      presentScope(await createScope(deps, actor, params.appId, declaredFields(body, CreateScope))),
  }),
  listRoute(deps, {
    path: ALL,
    summary: 'List the scopes of an application',
    item: ScopeBody,
    select: ({ scopes }) => scopes.map(presentScope),
  }),
  defineRoute({
    method: 'PUT',
    path: ONE,
    permission: 'oidc-config:write',
    tag,
    summary: 'Change the given fields of a scope',
    params: one,
    body: UpdateScope,
    responses: { 200: ScopeBody },
    errors: [...APPLICATION_ERRORS, 'scope_not_found', 'scope_exists', 'standard_scope'],
    handle: async ({ actor, params, body }) =>
      presentScope(await updateScope(deps, actor, params.appId, params.scopeId, declaredFields(body, UpdateScope))),
  }),
  defineRoute({
    method: 'DELETE',
    path: ONE,
    permission: 'oidc-config:write',
    tag,
    summary: 'Delete a scope',
    params: one,
    responses: { 200: Deleted },
    errors: [...APPLICATION_ERRORS, 'scope_not_found', 'standard_scope'],
    handle: async ({ actor, params }) => ({
      deleted: true,
      id: await deleteScope(deps, actor, params.appId, params.scopeId),
    }),
  }),
]
