/**
 * SCIM: clients provision the users and groups of a team by SCIM 2.0 (RFC 7643 and 7644).
 * In this module: users, groups, service descriptions, SCIM tokens and the log of recent requests. It stores the attributes that no other
 * module has a column for. Not here: the protocol, such as filters and PATCH (protocols/scim; `model/compile-filter.ts` compiles filters to SQL), creating, changing and suspending members (user-management), groups
 * and their members (groups).
 * Tables: scim_tokens, scim_users, scim_groups, scim_requests. Errors: scim_token_not_found; SCIM clients receive the error types of RFC
 * 7644 (platform/http/scim-dialect.ts). Audit: scim_token.created, scim_token.revoked; changes by SCIM clients are recorded by the
 * modules that make them, with `method: scim` and the token.
 */
import type { AuthenticateScim, ScimActor } from '../../platform/http/actor.js'
import type { ScimResponse } from '../../platform/http/register-routes.js'
import type { Module } from '../../platform/module.js'
import { scimGroupRoutes } from './groups/routes.js'
import type { ScimDeps } from './model/deps.js'
import { withScimErrors } from './model/scim-errors.js'
import { createSearchQueue } from './model/search-queue.js'
import { scimTokenNames } from './model/token-repository.js'
import { createRequestLog } from './requests/request-log.js'
import { scimRequestRoutes } from './requests/routes.js'
import { serviceRoutes } from './service/routes.js'
import { authenticateScimToken } from './tokens/authenticate.js'
import { SCIM_TOKEN_ERRORS } from './tokens/errors.js'
import { scimTokenRoutes } from './tokens/routes.js'
import { createInBatches } from './users/create-in-batches.js'
import { scimUserRoutes } from './users/routes.js'

export { revokeScimTokensOf, revokeScimTokensOfTeam } from './model/token-repository.js'

interface Scim extends Module {
  authenticate: AuthenticateScim
  /** Records a completed request in the log of recent requests. */
  recordResponse: (actor: ScimActor, response: ScimResponse) => void
}

export function createScim(deps: ScimDeps): Scim {
  const requests = createRequestLog(deps)
  const listing = { ...deps, searches: createSearchQueue(deps.config.databasePool) }
  return {
    routes: [
      ...scimTokenRoutes(deps),
      ...scimRequestRoutes(requests),
      ...[
        ...serviceRoutes(deps),
        ...scimUserRoutes({ ...listing, createInBatches: createInBatches(deps) }),
        ...scimGroupRoutes(listing),
      ].map(withScimErrors),
    ],
    authenticate: authenticateScimToken(deps),
    recordResponse: requests.note,
    // Waits until every recorded request is written.
    onClose: () => requests.settled(),
    errors: SCIM_TOKEN_ERRORS,
    labels: { scim_token: scimTokenNames },
  }
}
