import type { Route } from '../../../platform/http/route.js'
import { CONFIG, partRoutes } from '../application-routes.js'
import type { OidcConfigDeps } from '../deps.js'
import { createScope, deleteScope, updateScope } from './change-scopes.js'
import { CreateScope, presentScope, ScopeBody, UpdateScope } from './schema.js'

export const scopeRoutes = (deps: OidcConfigDeps): Route[] =>
  partRoutes(deps, {
    noun: 'scope',
    path: `${CONFIG}/scopes`,
    id: 'scopeId',
    body: ScopeBody,
    select: ({ scopes }) => scopes,
    present: presentScope,
    create: { body: CreateScope, errors: ['scope_exists', 'limit_reached'], run: createScope },
    update: { body: UpdateScope, errors: ['scope_not_found', 'scope_exists', 'standard_scope'], run: updateScope },
    remove: { errors: ['scope_not_found', 'standard_scope'], run: deleteScope },
  })
