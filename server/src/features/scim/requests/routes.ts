import Type from 'typebox'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { nullable, timestamp } from '../../../platform/http/schema-parts.js'
import { MAX_REQUESTS, type RequestLog } from './request-log.js'

const ScimRequestList = Type.Object({
  data: Type.Array(
    Type.Object(
      {
        id: Type.String(),
        createdAt: timestamp(),
        method: Type.String(),
        path: Type.String({ description: 'The path after `/scim/v2/{orgRef}`, without the values of filters' }),
        status: Type.Integer(),
        scimType: nullable(Type.String()),
        detail: nullable(Type.String()),
        token: nullable(Type.Object({ id: Type.String(), name: Type.String() })),
      },
      { $id: 'ScimRequest' },
    ),
  ),
})

export const scimRequestRoutes = (requests: RequestLog): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/v1/directory/scim/requests',
    permission: 'scim:token',
    tag: 'Directories',
    summary: `List the last ${MAX_REQUESTS} requests of the team's SCIM clients, newest first`,
    description:
      'Helps to set up a client: its requests and their results. Requests without a valid token are not recorded.',
    responses: { 200: ScimRequestList },
    handle: async ({ actor }) => ({ data: await requests.list(actor.teamId) }),
  }),
]
