import { defineRoute, type Route } from '../../platform/http/route.js'
import { readListQuery, readProjection, readSearchRequest } from '../../protocols/scim/index.js'
import { deactivateUser, patchUser, replaceUser } from './change-user.js'
import type { CreateTogether } from './create-together.js'
import { createUser } from './create-user.js'
import type { ListDeps, ScimDeps } from './deps.js'
import { listUsers, readUser } from './read-users.js'
import { common, LISTING, locationOf, PATCHING, withBody } from './route-parts.js'
import {
  ListQueryShape,
  Nothing,
  PatchBody,
  ProjectionQuery,
  Resource,
  ResourceList,
  SearchBody,
  TeamParams,
  UserBody,
  UserParams,
} from './schema.js'

const ALL = '/scim/v2/:orgRef/Users'
const ONE = `${ALL}/:userId`
const WRITING = ['role_protected', 'last_admin', 'uniqueness']

export const scimUserRoutes = (deps: ScimDeps & ListDeps & { createTogether: CreateTogether }): Route[] => [
  defineRoute({
    ...common,
    method: 'GET',
    path: ALL,
    summary: "List the team's users, in the order in which they were added",
    params: TeamParams,
    query: ListQueryShape,
    responses: { 200: ResourceList },
    errors: ['forbidden', ...LISTING],
    handle: ({ actor, query }) => listUsers(deps, actor, readListQuery('User', query)),
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: `${ALL}/.search`,
    ...withBody,
    summary: 'List users by what a body says, so that it stands in no address',
    params: TeamParams,
    body: SearchBody,
    responses: { 200: ResourceList },
    errors: ['forbidden', ...LISTING],
    handle: ({ actor, body }) => listUsers(deps, actor, readSearchRequest('User', body)),
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: ALL,
    ...withBody,
    summary: 'Make a user, or bring one up to date',
    description:
      'A known address is no conflict: what this team shows of the user is written, the membership becomes active, and the answer has the same id. Nothing that another team shows changes.',
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
    summary: 'One user of the team',
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
    summary: 'Replace what is known of a user',
    description: 'What the body does not say is emptied; `active` stays as it is when the body does not say it.',
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
    summary: 'Change a user; all of the operations are done, or none',
    description:
      '`active` false ends everything that the user has open in the team. The `userName` of a user who belongs to another team as well is theirs alone (400 `mutability`).',
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
      'Everything that the user has open in the team has ended; the account too is suspended while it is the team’s alone. The user stays and reads `active: false`; a second DELETE is 204 again.',
    params: UserParams,
    responses: { 204: Nothing },
    errors: ['forbidden', 'user_not_found', 'role_protected', 'last_admin'],
    handle: ({ actor, params }) => deactivateUser(deps, actor, params.userId),
  }),
]
