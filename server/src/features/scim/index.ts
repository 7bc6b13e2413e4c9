/**
 * SCIM: a team's directory writes its people and groups by SCIM 2.0 (RFC 7643 and 7644).
 *
 * Lives here: the tokens of directories and who they stand for, what a directory sees of people and groups and how it finds them, what it
 * wrote that no other room has a place for, and its last requests. Not here: the protocol itself (protocols/scim), making, changing and
 * suspending a member (users), groups and who is in them (groups).
 * Tables: scim_tokens, scim_users, scim_groups, scim_requests. Errors: scim_token_not_found; to directories by the names of RFC 7644
 * (platform/http/scim-dialect.ts). Audit: scim_token.created, scim_token.revoked; what a directory does is recorded by the rooms that it
 * writes to, with `method: scim` and the token.
 */
import type { AuthenticateScim, ScimActor } from '../../platform/http/actor.js'
import type { ScimAnswer } from '../../platform/http/register-routes.js'
import type { Route } from '../../platform/http/route.js'
import { authenticateScimToken } from './authenticate.js'
import { createTogether } from './create-together.js'
import type { ScimDeps } from './deps.js'
import { scimGroupRoutes } from './group-routes.js'
import { createRequestLog } from './request-log.js'
import { createSearchTurns } from './search-turns.js'
import { serviceRoutes } from './service-routes.js'
import { speakScim } from './speak-scim.js'
import { scimTokenRoutes } from './token-routes.js'
import { scimUserRoutes } from './user-routes.js'

export { SCIM_TOKEN_ERRORS } from './errors.js'
export { scimTokenNames } from './token-names.js'
export { revokeScimTokensOf, revokeScimTokensOfTeam } from './token-repository.js'

/** The room, assembled. */
export interface Scim {
  routes: Route[]
  authenticate: AuthenticateScim
  /** Takes a request that was answered, for the list of the last ones. */
  noteAnswer: (actor: ScimActor, answer: ScimAnswer) => void
  /** When every request that was taken is written. */
  settled: () => Promise<void>
}

/** Half of the connections at most are used by searches, and a fifth of them by those of one user's teams. */
const searchLimits = (connections: number) => ({
  ofUser: Math.max(1, Math.floor(connections / 5)),
  ofAll: Math.max(1, Math.floor(connections / 2)),
  waiting: 32,
})

export function createScim(deps: ScimDeps): Scim {
  const requests = createRequestLog(deps)
  const listing = { ...deps, searches: createSearchTurns(searchLimits(deps.config.databasePool)) }
  return {
    routes: [
      ...scimTokenRoutes(deps, requests),
      ...[
        ...serviceRoutes(deps),
        ...scimUserRoutes({ ...listing, createTogether: createTogether(deps) }),
        ...scimGroupRoutes(listing),
      ].map(speakScim),
    ],
    authenticate: authenticateScimToken(deps),
    noteAnswer: (actor, answer) => requests.note(actor, answer),
    settled: () => requests.settled(),
  }
}
