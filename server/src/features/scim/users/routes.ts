import { defineRoute, type Route } from '../../../platform/http/route.js'
import { readProjection } from '../../../protocols/scim/index.js'
import type { ListDeps, ScimDeps } from '../model/deps.js'
import { common, listingRoutes, locationOf, PATCHING, withBody } from '../model/route-parts.js'
import { Nothing, PatchBody, ProjectionQuery, Resource, TeamParams, UserBody, UserParams } from '../model/schema.js'
import { deactivateUser, patchUser, replaceUser } from './change-user.js'
import type { CreateInBatches } from './create-in-batches.js'
import { createUser } from './create-user.js'
import { listUsers, readUser } from './read-users.js'

const ALL = '/scim/v2/:orgRef/Users'
const ONE = `${ALL}/:userId`
const WRITING = ['role_protected', 'last_admin', 'uniqueness']

export const scimUserRoutes = (deps: ScimDeps & ListDeps & { createInBatches: CreateInBatches }): Route[] => [
  ...listingRoutes('User', {
    path: ALL,
    summary: "List the team's users in the order in which they were added",
    list: (actor, query) => listUsers(deps, actor, query),
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: ALL,
    ...withBody,
    summary: 'Create or update a user',
    description:
      "A known email address is not a conflict: this team's profile of the user is updated, the membership becomes active, and the response has the same ID. Profiles of other teams do not change.",
    params: TeamParams,
    query: ProjectionQuery,
    body: UserBody,
    responses: { 201: Resource },
    errors: ['forbidden', ...WRITING, 'limit_reached'],
    handle: async ({ actor, query, body, http }) => {
      const projection = readProjection('User', query)
      const user = await createUser(deps, actor, body)
      http.setHeader('location', locationOf(user))
      return projection.of(user)
    },
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: ONE,
    summary: 'Get a user of the team',
    params: UserParams,
    query: ProjectionQuery,
    responses: { 200: Resource },
    errors: ['forbidden', 'user_not_found'],
    handle: ({ actor, params, query }) => readUser(deps, actor, params.userId, readProjection('User', query)),
  }),
  defineRoute({
    ...common,
    method: 'PUT',
    path: ONE,
    ...withBody,
    summary: 'Replace the attributes of a user',
    description: 'Clears attributes that the body does not contain, except `active`.',
    params: UserParams,
    query: ProjectionQuery,
    body: UserBody,
    responses: { 200: Resource },
    errors: ['forbidden', 'user_not_found', 'mutability', ...WRITING],
    handle: ({ actor, params, query, body }) =>
      replaceUser(deps, actor, params.userId, body, readProjection('User', query)),
  }),
  defineRoute({
    ...common,
    method: 'PATCH',
    path: ONE,
    ...withBody,
    summary: 'Change a user; applies all operations or none',
    description:
      "`active: false` revokes the user's access to the team. The `userName` of a user who also belongs to another team cannot be changed (400 `mutability`).",
    params: UserParams,
    query: ProjectionQuery,
    body: PatchBody,
    responses: { 200: Resource },
    errors: ['forbidden', 'user_not_found', ...PATCHING, ...WRITING],
    handle: ({ actor, params, query, body }) =>
      patchUser(deps, actor, params.userId, body, readProjection('User', query)),
  }),
  defineRoute({
    ...common,
    method: 'DELETE',
    path: ONE,
    summary: 'Suspend a user',
    description:
      "Revokes the user's access to the team. The account is also suspended if it belongs to this team only. The user remains with `active: false`, and another DELETE returns 204 again.",
    params: UserParams,
    responses: { 204: Nothing },
    errors: ['forbidden', 'user_not_found', 'role_protected', 'last_admin'],
    handle: ({ actor, params }) => deactivateUser(deps, actor, params.userId),
  }),
]
