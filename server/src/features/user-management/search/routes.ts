import Type from 'typebox'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import type { UserDeps } from '../deps.js'
import { presentFound, Results } from './schema.js'
import { searchTeam } from './search-team.js'

export const searchRoutes = (deps: UserDeps): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/v1/search',
    permission: 'org:read',
    tag: 'Users',
    summary: 'Find users, groups and applications of the team',
    description:
      'Finds by a part of the name, email address or client ID, or by the ID; at most five of each kind that you may read. Users are found as by `search` of `GET /users`.',
    query: Type.Object({ q: Type.String({ minLength: 1, maxLength: 200 }) }),
    responses: { 200: Results },
    handle: async ({ actor, query }) => presentFound(await searchTeam(deps, actor, query.q)),
  }),
]
