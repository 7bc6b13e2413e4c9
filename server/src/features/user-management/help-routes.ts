import Type from 'typebox'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { presentListed, SessionList } from '../sessions/index.js'
import type { UserDeps } from './deps.js'
import { endUserSessions } from './end-user-sessions.js'
import { readUserSessions } from './queries.js'
import { resendWelcome } from './resend-welcome.js'
import { resetFactors } from './reset-factors.js'
import { giveTemporaryPassword, mailPasswordReset } from './reset-user-password.js'
import { Message } from './schema.js'

const tag = 'Users'
const params = Type.Object({ id: Type.String() })
const ONE = '/api/v1/users/:id'
const Ended = Type.Object({ message: Type.String(), ended: Type.Integer({ description: 'How many sessions ended' }) })

const ENDING = {
  permission: 'users:credentials',
  tag,
  summary: 'End what a user has open in this team, and what they allowed its applications',
  params,
  responses: { 200: Ended },
  errors: ['user_not_found', 'role_protected'],
} as const

/** What a help desk does for a user. */
export const userHelpRoutes = (deps: UserDeps): Route[] => [
  defineRoute({
    method: 'POST',
    path: `${ONE}/password-reset`,
    permission: 'users:credentials',
    tag,
    summary: 'Mail a user a link to choose a new password, or give them a temporary one',
    description:
      'A temporary password works for 7 days, in this team alone, and is changed at the first sign-in. It ends every session of the user, and only an account that is managed by the team can be given one.',
    params,
    body: Type.Object({ temporaryPassword: Type.Optional(Type.String({ maxLength: 2_048 })) }),
    responses: { 200: Message },
    errors: ['user_not_found', 'user_not_managed', 'role_protected', 'password_policy', 'password_replaced'],
    handle: async ({ actor, params, body }) => {
      if (body.temporaryPassword === undefined) {
        await mailPasswordReset(deps, actor, params.id)
        return { message: 'A link to choose a new password is on its way' }
      }
      await giveTemporaryPassword(deps, actor, params.id, body.temporaryPassword)
      return { message: 'The password was changed; all sessions of the user were ended' }
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${ONE}/mfa/reset`,
    permission: 'users:credentials',
    tag,
    summary: 'Reset the second factors of a member who has lost theirs; the user is notified by mail',
    description:
      "For this team alone: factors that are restricted to it are removed, the user's own from before are neither accepted nor required here, and sessions in the team end. In other teams nothing changes.",
    params,
    responses: {
      200: Type.Object({
        message: Type.String(),
        removed: Type.Integer({
          description: 'How many factors restricted to this team were removed, backup codes not counted',
        }),
      }),
    },
    errors: ['user_not_found', 'role_protected'],
    handle: async ({ actor, params }) => {
      const removed = await resetFactors(deps, actor, params.id)
      return { message: 'The second factors of the user were reset', removed }
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${ONE}/invite/resend`,
    permission: 'users:write',
    tag,
    summary: 'Mail a user who has not signed in yet another link; earlier ones stay valid',
    params,
    responses: { 200: Message },
    errors: ['user_not_found', 'not_pending'],
    handle: async ({ actor, params }) => {
      await resendWelcome(deps, actor, params.id)
      return { message: 'A new link is on its way' }
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${ONE}/sessions`,
    permission: 'users:read',
    tag,
    summary: 'The living sessions in which a user has this team open',
    params,
    responses: { 200: SessionList },
    errors: ['user_not_found'],
    handle: async ({ actor, params }) => ({
      data: (await readUserSessions(deps, actor, params.id)).map((session) =>
        presentListed(session, actor.via === 'session' ? actor.sessionId : undefined),
      ),
    }),
  }),
  defineRoute({
    ...ENDING,
    method: 'DELETE',
    path: `${ONE}/sessions`,
    handle: async ({ actor, params }) => ({
      message: 'The sessions were ended',
      ended: await endUserSessions(deps, actor, params.id),
    }),
  }),
  defineRoute({
    ...ENDING,
    method: 'POST',
    path: `${ONE}/sessions/revoke`,
    handle: async ({ actor, params }) => ({
      message: 'The sessions were ended',
      ended: await endUserSessions(deps, actor, params.id),
    }),
  }),
]
