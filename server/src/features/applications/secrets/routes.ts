import Type from 'typebox'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import type { ApplicationDeps } from '../deps.js'
import { ApplicationBody, presentApplication, RotatedSecret, RotateSecret } from '../schema.js'
import { endPreviousSecret } from './end-previous-secret.js'
import { endRegistrationToken } from './end-registration-token.js'
import { rotateSecret } from './rotate-secret.js'

const tag = 'Applications'
const params = Type.Object({ appId: Type.String() })
const ONE = '/api/v1/applications/:appId'

export const secretRoutes = (deps: ApplicationDeps): Route[] => [
  defineRoute({
    method: 'POST',
    path: `${ONE}/rotate-secret`,
    permission: 'applications:write',
    tag,
    summary: 'Replace the client secret of an application',
    description:
      'The secret is returned by this request only. The previous one is revoked immediately with all issued tokens, unless `keepPreviousFor` keeps it valid for a while; then issued tokens stay valid. A registration access token is not affected.',
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
    summary: 'Revoke the previous secret before its overlap ends',
    description:
      'Also revokes the tokens that the application has for itself (client_credentials), because either secret may have obtained them; grants of users stay valid. Without a previous secret nothing changes.',
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
    summary: 'Revoke the token with which a client manages its own registration (RFC 7592)',
    description:
      'Only administrators can then change or delete it. The secret and issued tokens stay valid. Without such a token nothing changes.',
    params,
    responses: { 200: Type.Object({ message: Type.String() }) },
    errors: ['application_not_found'],
    handle: async ({ actor, params }) => {
      await endRegistrationToken(deps, actor, params.appId)
      return { message: 'The application can no longer manage its own registration' }
    },
  }),
]
