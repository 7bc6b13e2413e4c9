import Type from 'typebox'
import { LARGE_BODY } from '../../platform/http/body-limits.js'
import { entityTag } from '../../platform/http/entity-tag.js'
import type { HttpExchange } from '../../platform/http/http-exchange.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { readAssigned, replaceAssigned, type UserWithAssigned } from './assignment.js'
import type { UserDeps } from './deps.js'

const params = Type.Object({ id: Type.String() })
const SET_TAG = 'The response has an `ETag` of the set, for `If-Match`.'
const IF_MATCH = {
  'if-match': 'ETag of the set that you read; if the set has changed since, the request fails with 412',
}

const Named = { id: Type.String(), name: Type.String() }
const UserGroups = Type.Object({ id: Type.String(), groups: Type.Array(Type.Object(Named)) }, { $id: 'UserGroups' })
const UserApplications = Type.Object(
  {
    id: Type.String(),
    applications: Type.Array(Type.Object(Named), { description: 'Assigned directly to the user' }),
    inherited: Type.Array(Type.Object({ ...Named, via: Type.Array(Type.Object(Named)) }), {
      description:
        'Assigned through groups, with these groups (`via`, empty without `groups:read`); not part of the set. Empty without `applications:read`',
    }),
  },
  { $id: 'UserApplications' },
)

/** The set of each kind in the API; `field` is the member of the body that contains the IDs. */
const SETS = {
  groups: {
    permission: 'groups:members',
    field: 'groupIds',
    response: UserGroups,
    unknownMember: 'group_not_found',
    read: { summary: 'List the groups of a user', description: `Also requires \`groups:read\`. ${SET_TAG}` },
    replace: { summary: 'Replace the groups that a user is in', description: SET_TAG },
  },
  applications: {
    permission: 'applications:write',
    field: 'applicationIds',
    response: UserApplications,
    unknownMember: 'application_not_found',
    read: {
      summary: 'List the applications that are assigned to a user',
      description: `Also requires \`applications:read\`. Does not include applications that are open to every member. ${SET_TAG}`,
    },
    replace: {
      summary: 'Replace the applications that are assigned directly to a user',
      description: `The first assignment of an application sets its \`assignmentRequired\`. ${SET_TAG}`,
    },
  },
} as const

/** The routes that read and replace the groups and the applications of a user. */
export const userAssignmentRoutes = (deps: UserDeps): Route[] =>
  (['groups', 'applications'] as const).flatMap((kind) => {
    const { permission, field, response, unknownMember, read, replace } = SETS[kind]
    const route = { path: `/api/v1/users/:id/${kind}`, tag: 'Users', params, responses: { 200: response } } as const
    const withTag = (http: HttpExchange, user: UserWithAssigned) => {
      http.setHeader('etag', entityTag((user[kind] ?? []).map(({ id }) => id)))
      return user
    }
    return [
      defineRoute({
        ...route,
        ...read,
        method: 'GET',
        permission: 'users:read',
        errors: ['user_not_found'],
        handle: async ({ actor, params, http }) => withTag(http, await readAssigned(deps, actor, kind, params.id)),
      }),
      defineRoute({
        ...route,
        ...replace,
        method: 'PUT',
        permission,
        bodyLimit: LARGE_BODY,
        body: Type.Object({ [field]: Type.Array(Type.String(), { maxItems: 10_000 }) }),
        headers: IF_MATCH,
        errors: ['user_not_found', unknownMember, 'stale_version'],
        handle: async ({ actor, params, body, http }) => {
          const change = { ids: body[field] as string[], ifMatch: http.header('if-match') }
          return withTag(http, await replaceAssigned(deps, actor, kind, params.id, change))
        },
      }),
    ]
  })
