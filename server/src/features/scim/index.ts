/**
 * SCIM: clients provision the users and groups of a team by SCIM 2.0 (RFC 7643 and 7644).
 * In this module: users, groups, service descriptions, the endpoints for SCIM tokens, and the log of recent requests. It stores the
 * attributes that no other module has a column for (the list of attributes: `protocols/scim/schema`). Not here: the tokens themselves (access-tokens), the protocol, such as filters and PATCH
 * (protocols/scim; `model/compile-filter.ts` compiles filters to SQL), creating, changing and suspending members (user-management), groups
 * and their members (groups).
 * Tables: scim_users, scim_groups, scim_requests. Errors: SCIM clients receive the error types of RFC 7644 (`model/scim-dialect.ts`).
 * Audit: changes by SCIM clients are recorded by the modules that make them, with `method: scim` and the token.
 */
import type { Module } from '../../platform/module.js'
import { authenticateScimToken } from '../access-tokens/index.js'
import { scimGroupRoutes } from './groups/routes.js'
import { withScimErrors } from './model/convert-errors.js'
import type { ScimDeps } from './model/deps.js'
import { scimDialect } from './model/scim-dialect.js'
import { createSearchQueue } from './model/search-queue.js'
import { createRequestLog } from './requests/request-log.js'
import { scimRequestRoutes } from './requests/routes.js'
import { searchRoutes } from './search/routes.js'
import { serviceRoutes } from './service/routes.js'
import { scimTokenRoutes } from './tokens/routes.js'
import { scimProfileData } from './users/account-data.js'
import { createInBatches } from './users/create-in-batches.js'
import { scimUserRoutes } from './users/routes.js'

export function createScim(deps: ScimDeps): Module {
  const requests = createRequestLog(deps)
  const listing = { ...deps, searches: createSearchQueue(deps.config.databasePool) }
  return {
    routes: [
      ...scimTokenRoutes(deps),
      ...scimRequestRoutes(requests),
      ...[
        ...serviceRoutes(deps),
        ...searchRoutes(listing),
        ...scimUserRoutes({ ...listing, createInBatches: createInBatches(deps) }),
        ...scimGroupRoutes(listing),
      ].map(withScimErrors),
    ],
    dialects: [scimDialect(authenticateScimToken(deps), requests.note)],
    accountData: scimProfileData(deps.db),
    // Waits until every recorded request is written.
    onClose: () => requests.settled(),
  }
}
