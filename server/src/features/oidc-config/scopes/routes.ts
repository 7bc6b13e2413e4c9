import Type from 'typebox'
import { declaredFields } from '../../../platform/http/declared-fields.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { Deleted } from '../deleted.js'
import type { OidcConfigDeps } from '../deps.js'
import { readConfiguration } from '../queries.js'
import { createScope, deleteScope, updateScope } from './change-scopes.js'
import { CreateScope, presentScope, ScopeBody, Scopes, UpdateScope } from './schema.js'

const tag = 'OIDC configuration'
const params = Type.Object({ appId: Type.String() })
const one = Type.Object({ appId: Type.String(), scopeId: Type.String() })
const ALL = '/api/v1/applications/:appId/oidc-config/scopes'
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
    errors: ['application_not_found', 'application_not_oidc', 'scope_exists', 'limit_reached'],
    handle: async ({ actor, params, body }) =>
      presentScope(await createScope(deps, actor, params.appId, declaredFields(body, CreateScope))),
  }),
  defineRoute({
    method: 'GET',
    path: ALL,
    permission: 'oidc-config:read',
    tag,
    summary: 'List the scopes of an application',
    params,
    responses: { 200: Scopes },
    errors: ['application_not_found', 'application_not_oidc'],
    handle: async ({ actor, params }) => ({
      data: (await readConfiguration(deps, actor, params.appId)).scopes.map(presentScope),
    }),
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
    errors: ['application_not_found', 'application_not_oidc', 'scope_not_found', 'scope_exists', 'standard_scope'],
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
    errors: ['application_not_found', 'application_not_oidc', 'scope_not_found', 'standard_scope'],
    handle: async ({ actor, params }) => ({
      deleted: true,
      id: await deleteScope(deps, actor, params.appId, params.scopeId),
    }),
  }),
]
