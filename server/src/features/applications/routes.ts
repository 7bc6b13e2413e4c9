import Type from 'typebox'
import { LARGE_BODY } from '../../platform/http/body-limits.js'
import { declaredFields } from '../../platform/http/declared-fields.js'
import { entityTag } from '../../platform/http/entity-tag.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { createApplication } from './create-application.js'
import { deleteApplication } from './delete-application.js'
import type { UpdateDeps } from './deps.js'
import { endPreviousSecret } from './end-previous-secret.js'
import { endRegistrationToken } from './end-registration-token.js'
import { listApplications, readApplication, readAssignment } from './queries.js'
import { replaceAssignment } from './replace-assignment.js'
import { rotateSecret } from './rotate-secret.js'
import {
  ApplicationBody,
  AssignedGroups,
  AssignedUsers,
  AssignGroups,
  AssignUsers,
  CreateApplication,
  CreatedApplication,
  presentApplication,
  RotatedSecret,
  RotateSecret,
  UpdateApplication,
} from './schema.js'
import { updateApplication } from './update-application.js'

const tag = 'Applications'
const params = Type.Object({ appId: Type.String() })
const ONE = '/api/v1/applications/:appId'
const SET_TAG = 'The answer carries an `ETag` of the set, for `If-Match`.'
const IF_MATCH = { 'if-match': 'ETag of the set that you read: when another is there by now, nothing is changed (412)' }

export const applicationRoutes = (deps: UpdateDeps): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/v1/applications',
    permission: 'applications:write',
    tag,
    summary: 'Register an application',
    description: 'The secret is in this answer and in no later one.',
    body: CreateApplication,
    responses: { 201: CreatedApplication },
    errors: ['limit_reached'],
    handle: async ({ actor, body }) => {
      const { application, clientSecret } = await createApplication(
        deps,
        actor,
        declaredFields(body, CreateApplication),
      )
      return { ...presentApplication(application, deps.clock.now()), clientSecret }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/applications',
    permission: 'applications:read',
    tag,
    summary: "The team's applications, newest first",
    responses: { 200: Type.Object({ data: Type.Array(ApplicationBody) }) },
    handle: async ({ actor }) => ({
      data: (await listApplications(deps, actor)).map((application) =>
        presentApplication(application, deps.clock.now()),
      ),
    }),
  }),
  defineRoute({
    method: 'GET',
    path: ONE,
    permission: 'applications:read',
    tag,
    summary: 'One application',
    params,
    responses: { 200: ApplicationBody },
    errors: ['application_not_found'],
    handle: async ({ actor, params }) =>
      presentApplication(await readApplication(deps, actor, params.appId), deps.clock.now()),
  }),
  defineRoute({
    method: 'PUT',
    path: ONE,
    permission: 'applications:write',
    tag,
    summary: 'Change an application; only what is given changes',
    description:
      'The type stays as it is. A change of the authentication method ends everything that the application was handed out; where the new one uses no secret, the secret is removed, and only `rotate-secret` makes another.',
    params,
    body: UpdateApplication,
    responses: { 200: ApplicationBody },
    errors: ['application_not_found'],
    handle: async ({ actor, params, body }) =>
      presentApplication(
        await updateApplication(deps, actor, params.appId, declaredFields(body, UpdateApplication)),
        deps.clock.now(),
      ),
  }),
  defineRoute({
    method: 'POST',
    path: `${ONE}/rotate-secret`,
    permission: 'applications:write',
    tag,
    summary: 'Replace the secret of an application',
    description:
      'The secret is in this answer and in no later one. The one before is dead at once with what was handed out by it, unless `keepPreviousFor` lets both be good for a while; then what was handed out stays. A token by which the client manages its own registration is untouched.',
    params,
    body: RotateSecret,
    responses: { 200: RotatedSecret },
    errors: ['application_not_found', 'no_client_secret'],
    handle: async ({ actor, params, body }) => {
      const { clientSecret, previousSecretUntil } = await rotateSecret(deps, actor, params.appId, body.keepPreviousFor)
      return { clientSecret, previousSecretExpiresAt: previousSecretUntil?.toISOString() }
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: `${ONE}/previous-secret`,
    permission: 'applications:write',
    tag,
    summary: 'End the overlap of two secrets now: the one before is dead at once',
    description:
      'The tokens that the application has for itself (client_credentials) end too, as nobody knows by which secret they were got; what users allowed it stays. Where there is none nothing changes.',
    params,
    responses: { 200: ApplicationBody },
    errors: ['application_not_found'],
    handle: async ({ actor, params }) =>
      presentApplication(await endPreviousSecret(deps, actor, params.appId), deps.clock.now()),
  }),
  defineRoute({
    method: 'DELETE',
    path: `${ONE}/registration-token`,
    permission: 'applications:write',
    tag,
    summary: 'End the token by which a client manages its own registration (RFC 7592)',
    description:
      'From then on only administrators change or delete it. Its secret and what it was handed out stay. Where there is none nothing changes.',
    params,
    responses: { 200: Type.Object({ message: Type.String() }) },
    errors: ['application_not_found'],
    handle: async ({ actor, params }) => {
      await endRegistrationToken(deps, actor, params.appId)
      return { message: 'The application cannot manage its own registration any more' }
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: ONE,
    permission: 'applications:write',
    tag,
    summary: 'Delete an application with its tokens and its configuration',
    params,
    responses: { 200: Type.Object({ deleted: Type.Literal(true), id: Type.String() }) },
    errors: ['application_not_found'],
    handle: async ({ actor, params }) => ({ deleted: true, id: await deleteApplication(deps, actor, params.appId) }),
  }),
  defineRoute({
    method: 'GET',
    path: `${ONE}/users`,
    permission: 'applications:read',
    tag,
    summary: 'The users to whom an application is assigned',
    description: SET_TAG,
    params,
    responses: { 200: AssignedUsers },
    errors: ['application_not_found'],
    handle: async ({ actor, params, http }) => {
      const { application, ids } = await readAssignment(deps, actor, 'users', params.appId)
      http.setHeader('etag', entityTag(ids))
      return { applicationId: application.id, userIds: ids }
    },
  }),
  defineRoute({
    method: 'PUT',
    path: `${ONE}/users`,
    permission: 'applications:write',
    tag,
    summary: 'Replace the users to whom an application is assigned',
    description: `The first assignment sets \`assignmentRequired\`. ${SET_TAG}`,
    params,
    bodyLimit: LARGE_BODY,
    body: AssignUsers,
    headers: IF_MATCH,
    responses: { 200: AssignedUsers },
    errors: ['application_not_found', 'user_not_found', 'stale_version'],
    handle: async ({ actor, params, body, http }) => {
      const ifMatch = http.header('if-match')
      const { application, ids } = await replaceAssignment(deps, actor, 'users', params.appId, body.userIds, ifMatch)
      http.setHeader('etag', entityTag(ids))
      return { applicationId: application.id, userIds: ids }
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${ONE}/groups`,
    permission: 'applications:read',
    tag,
    summary: 'The groups to which an application is assigned',
    description: SET_TAG,
    params,
    responses: { 200: AssignedGroups },
    errors: ['application_not_found'],
    handle: async ({ actor, params, http }) => {
      const { application, ids } = await readAssignment(deps, actor, 'groups', params.appId)
      http.setHeader('etag', entityTag(ids))
      return { applicationId: application.id, groupIds: ids }
    },
  }),
  defineRoute({
    method: 'PUT',
    path: `${ONE}/groups`,
    permission: 'applications:write',
    tag,
    summary: 'Replace the groups to which an application is assigned',
    description: `The first assignment sets \`assignmentRequired\`. ${SET_TAG}`,
    params,
    bodyLimit: LARGE_BODY,
    body: AssignGroups,
    headers: IF_MATCH,
    responses: { 200: AssignedGroups },
    errors: ['application_not_found', 'group_not_found', 'stale_version'],
    handle: async ({ actor, params, body, http }) => {
      const ifMatch = http.header('if-match')
      const { application, ids } = await replaceAssignment(deps, actor, 'groups', params.appId, body.groupIds, ifMatch)
      http.setHeader('etag', entityTag(ids))
      return { applicationId: application.id, groupIds: ids }
    },
  }),
]
