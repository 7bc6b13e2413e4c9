import Type from 'typebox'
import { declaredFields } from '../../platform/http/declared-fields.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { Message } from '../../platform/http/schema-parts.js'
import { assignmentRoutes, groupAssignmentRoutes } from './assignment/routes.js'
import {
  type ApplicationDeps,
  createApplication,
  deleteApplication,
  listApplications,
  readApplication,
  updateApplication,
} from './manage-applications.js'
import type { Application } from './registration/registration.js'
import {
  ApplicationBody,
  CreateApplication,
  CreatedApplication,
  presentApplication,
  RotatedSecret,
  RotateSecret,
  UpdateApplication,
} from './schema.js'
import {
  endPreviousSecret,
  endRegistrationToken,
  rotateSecret,
  startApplication,
  stopApplication,
} from './secrets/manage-secrets.js'

const tag = 'Applications'
const params = Type.Object({ appId: Type.String() })
const ONE = '/api/v1/applications/:appId'
/** A change of one application. */
const CHANGE = { permission: 'applications:write', tag, params } as const

export function applicationRoutes(deps: ApplicationDeps): Route[] {
  const present = (application: Application) => presentApplication(application, deps.clock.now())
  return [
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
        return { ...present(application), clientSecret }
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
        data: (await listApplications(deps, actor)).map(present),
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
      handle: async ({ actor, params }) => present(await readApplication(deps, actor, params.appId)),
    }),
    defineRoute({
      ...CHANGE,
      method: 'PUT',
      path: ONE,
      summary: 'Update an application; fields that are left out do not change',
      description:
        'The type cannot change. Changing the authentication method revokes all issued tokens; if the new method uses no secret, the secret is deleted, and only `rotate-secret` issues another.',
      body: UpdateApplication,
      responses: { 200: ApplicationBody },
      errors: ['application_not_found'],
      handle: async ({ actor, params, body }) =>
        present(await updateApplication(deps, actor, params.appId, declaredFields(body, UpdateApplication))),
    }),
    defineRoute({
      ...CHANGE,
      method: 'DELETE',
      path: ONE,
      summary: 'Delete an application with its tokens and its configuration',
      responses: { 200: Type.Object({ deleted: Type.Literal(true), id: Type.String() }) },
      errors: ['application_not_found'],
      handle: async ({ actor, params }) => ({ deleted: true, id: await deleteApplication(deps, actor, params.appId) }),
    }),
    defineRoute({
      ...CHANGE,
      method: 'POST',
      path: `${ONE}/rotate-secret`,
      summary: 'Replace the client secret of an application',
      description:
        'The secret is returned by this request only. The previous one is revoked immediately with all issued tokens, unless `keepPreviousFor` keeps it valid for a while; then issued tokens stay valid. A registration access token is not affected.',
      body: RotateSecret,
      responses: { 200: RotatedSecret },
      errors: ['application_not_found', 'no_client_secret'],
      handle: async ({ actor, params, body }) => {
        const { clientSecret, previousSecretUntil } = await rotateSecret(
          deps,
          actor,
          params.appId,
          body.keepPreviousFor,
        )
        return { clientSecret, previousSecretExpiresAt: previousSecretUntil?.toISOString() }
      },
    }),
    defineRoute({
      ...CHANGE,
      method: 'DELETE',
      path: `${ONE}/previous-secret`,
      summary: 'Revoke the previous secret before its overlap ends',
      description:
        'Also revokes the tokens that the application has for itself (client_credentials), because either secret may have obtained them; grants of users stay valid. Without a previous secret nothing changes.',
      responses: { 200: ApplicationBody },
      errors: ['application_not_found'],
      handle: async ({ actor, params }) => present(await endPreviousSecret(deps, actor, params.appId)),
    }),
    defineRoute({
      ...CHANGE,
      method: 'DELETE',
      path: `${ONE}/registration-token`,
      summary: 'Revoke the token with which a client manages its own registration (RFC 7592)',
      description:
        'Only administrators can then change or delete it. The secret and issued tokens stay valid. Without such a token nothing changes.',
      responses: { 200: Message },
      errors: ['application_not_found'],
      handle: async ({ actor, params }) => {
        await endRegistrationToken(deps, actor, params.appId)
        return { message: 'The application can no longer manage its own registration' }
      },
    }),
    ...assignmentRoutes(deps),
    ...(
      [
        ['stop', stopApplication, 'Stop an application: revokes its tokens immediately and issues no more'],
        ['start', startApplication, 'Start a stopped application'],
      ] as const
    ).map(([act, run, summary]) =>
      defineRoute({
        ...CHANGE,
        method: 'POST',
        path: `${ONE}/${act}`,
        summary,
        responses: { 200: ApplicationBody },
        errors: ['application_not_found'],
        handle: async ({ actor, params }) => present(await run(deps, actor, params.appId)),
      }),
    ),
    ...groupAssignmentRoutes(deps),
  ]
}
