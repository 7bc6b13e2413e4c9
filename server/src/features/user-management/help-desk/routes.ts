import Type from 'typebox'
import { DAY } from '../../../platform/clock.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { TEMPORARY_PASSWORD_LIFETIME } from '../../passwords/index.js'
import { presentListed, SessionList } from '../../sessions/index.js'
import type { UserDeps } from '../deps.js'
import { readUserSessions } from '../queries.js'
import { Message } from '../schema.js'
import { lockDown } from './lock-down.js'
import { mailPasswordReset, resendWelcome } from './mail-link.js'
import { endUserSessions, resetFactors, setTemporaryPassword } from './reset-access.js'

const ofUser = { tag: 'Users', params: Type.Object({ id: Type.String() }) } as const
const ONE = '/api/v1/users/:id'
const Ended = Type.Object({ message: Type.String(), ended: Type.Integer({ description: 'How many sessions ended' }) })

const LockedDown = Type.Object({
  message: Type.String(),
  sessionsEnded: Type.Integer(),
  grantsRevoked: Type.Integer(),
  apiTokensRevoked: Type.Integer(),
  scimTokensRevoked: Type.Integer(),
  runsCancelled: Type.Integer({ description: 'Imports and bulk changes that the user had started' }),
  invitationsRevoked: Type.Integer({ description: 'Pending invitations that the user had sent in this team' }),
  factorsRemoved: Type.Integer({
    description: 'Number of removed factors that were restricted to this team, without backup codes',
  }),
  teamPasswordRemoved: Type.Boolean(),
})

/** Help for a user who cannot sign in or whose sessions must end. */
export const userHelpRoutes = (deps: UserDeps): Route[] => [
  defineRoute({
    ...ofUser,
    method: 'POST',
    path: `${ONE}/password-reset`,
    permission: 'users:credentials',
    summary: 'Mail a user a link to choose a new password, or set a temporary password',
    description: `A temporary password is valid for ${TEMPORARY_PASSWORD_LIFETIME / DAY} days, in this team only, and must be changed at the first sign-in. It ends every session of the user in the team.`,
    body: Type.Object({ temporaryPassword: Type.Optional(Type.String({ maxLength: 2_048 })) }),
    responses: { 200: Message },
    errors: ['user_not_found', 'user_not_managed', 'role_protected', 'password_policy', 'password_replaced'],
    handle: async ({ actor, params, body }) => {
      if (body.temporaryPassword === undefined) {
        await mailPasswordReset(deps, actor, params.id)
        return { message: 'A link to choose a new password was sent' }
      }
      await setTemporaryPassword(deps, actor, params.id, body.temporaryPassword)
      return { message: 'The password was changed; all sessions of the user were ended' }
    },
  }),
  defineRoute({
    ...ofUser,
    method: 'POST',
    path: `${ONE}/mfa/reset`,
    permission: 'users:credentials',
    summary: 'Reset the second factors of a member who lost theirs; the user is notified by mail',
    description:
      "Applies to this team only: removes factors that are restricted to it, ends the user's sessions in it, and stops accepting and requiring the user's existing own factors here. Other teams are unaffected.",
    responses: {
      200: Type.Object({
        message: Type.String(),
        removed: Type.Integer({
          description: 'Number of removed factors that were restricted to this team, without backup codes',
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
    ...ofUser,
    method: 'POST',
    path: `${ONE}/lock-down`,
    permission: 'users:credentials',
    summary: "Revoke a member's credentials in this team because a third party may have them",
    description:
      'Ends the sessions in this team, and revokes grants to its applications, links, the team password, factors that are restricted to this team, API and SCIM tokens, and the runs and pending invitations of the member. The own password of the user must be changed before it grants access to this team again. Own factors, other teams, and providers and directories that the member saved, are unaffected. Suspend the user to deny access until you reactivate them.',
    responses: { 200: LockedDown },
    errors: ['user_not_found', 'role_protected'],
    handle: async ({ actor, params }) => ({
      message: 'The access of the user was locked down',
      ...(await lockDown(deps, actor, params.id)),
    }),
  }),
  defineRoute({
    ...ofUser,
    method: 'POST',
    path: `${ONE}/invite/resend`,
    permission: 'users:write',
    summary: 'Mail another link to a user who has not signed in yet; earlier links stay valid',
    responses: { 200: Message },
    errors: ['user_not_found', 'not_pending'],
    handle: async ({ actor, params }) => {
      await resendWelcome(deps, actor, params.id)
      return { message: 'A new link was sent' }
    },
  }),
  defineRoute({
    ...ofUser,
    method: 'GET',
    path: `${ONE}/sessions`,
    permission: 'users:read',
    summary: "List a user's active sessions in this team",
    responses: { 200: SessionList },
    errors: ['user_not_found'],
    handle: async ({ actor, params }) => ({
      data: (await readUserSessions(deps, actor, params.id)).map((session) =>
        presentListed(session, actor.via === 'session' ? actor.sessionId : undefined),
      ),
    }),
  }),
  ...(
    [
      ['DELETE', `${ONE}/sessions`],
      ['POST', `${ONE}/sessions/revoke`],
    ] as const
  ).map(([method, path]) =>
    defineRoute({
      ...ofUser,
      method,
      path,
      permission: 'users:credentials',
      summary: "Revoke a user's sessions in this team and their grants to its applications",
      responses: { 200: Ended },
      errors: ['user_not_found', 'role_protected'],
      handle: async ({ actor, params }) => ({
        message: 'The sessions were ended',
        ended: await endUserSessions(deps, actor, params.id),
      }),
    }),
  ),
]
