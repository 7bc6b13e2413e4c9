import Type from 'typebox'
import { declaredFields } from '../../platform/http/declared-fields.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { assignmentRoutes } from './assignment/routes.js'
import { createApplication } from './create-application.js'
import { deleteApplication } from './delete-application.js'
import type { UpdateDeps } from './deps.js'
import { listApplications, readApplication } from './queries.js'
import {
  ApplicationBody,
  CreateApplication,
  CreatedApplication,
  presentApplication,
  UpdateApplication,
} from './schema.js'
import { secretRoutes } from './secrets/routes.js'
import { updateApplication } from './update-application.js'

const tag = 'Applications'
const params = Type.Object({ appId: Type.String() })
const ONE = '/api/v1/applications/:appId'

export const applicationRoutes = (deps: UpdateDeps): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/v1/applications',
    permission: 'applications:write',
    tag,
    summary: 'Register an application',
    description: 'The secret is returned by this request only.',
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
    summary: "List the team's applications, newest first",
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
    summary: 'Get an application',
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
    summary: 'Update an application; fields that are left out do not change',
    description:
      'The type cannot change. Changing the authentication method revokes all issued tokens; if the new method uses no secret, the secret is deleted, and only `rotate-secret` issues another.',
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
  ...secretRoutes(deps),
  ...assignmentRoutes(deps),
]
