import Type from 'typebox'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { Session } from '../../sessions/index.js'
import type { AccountDeps } from '../deps.js'
import { Email, Message, Name, NewPassword, remember, TokenBody } from '../schema.js'
import { respondToSignIn, SIGN_IN_ERRORS } from '../sign-in/sign-in-exchange.js'
import { disownAccount } from './disown-account.js'
import { register, resendVerification, verifyEmail } from './register.js'

const post = { method: 'POST', tag: 'Sign-in and password' } as const

export const registrationRoutes = (deps: AccountDeps): Route[] => [
  defineRoute({
    ...post,
    path: '/api/v1/auth/register',
    permission: 'public',
    summary: 'Create an account with its own team, and sign in',
    body: Type.Object({
      email: Email,
      password: NewPassword,
      firstName: Type.Optional(Name),
      lastName: Type.Optional(Name),
      remember,
    }),
    responses: { 201: Session },
    errors: ['email_taken', 'password_policy', 'sign_up_not_allowed', ...SIGN_IN_ERRORS],
    handle: (context) =>
      respondToSignIn(deps, context, context.body, (request) => register(deps, context.body, request)),
  }),
  defineRoute({
    ...post,
    path: '/api/v1/auth/verify-email',
    endsSessions: true,
    permission: 'signed-in',
    summary: "Verify the caller's email address by the mailed link",
    body: TokenBody,
    responses: { 200: Message },
    errors: ['invalid_token', 'wrong_account', 'team_sign_in_required'],
    handle: async ({ actor, body }) => {
      await verifyEmail(deps, actor, body.token)
      return { message: 'The email address is verified' }
    },
  }),
  defineRoute({
    ...post,
    path: '/api/v1/auth/verify-email/resend',
    permission: 'signed-in',
    summary: "Mail a new link that verifies the caller's email address",
    responses: { 200: Message },
    handle: async ({ actor }) => {
      await resendVerification(deps, actor)
      return { message: 'If the email address is not verified yet, a link is on its way' }
    },
  }),
  defineRoute({
    ...post,
    path: '/api/v1/auth/disown',
    permission: 'public',
    summary: '"I did not create this account": remove what another person created with this email address',
    description:
      'Accepts the token of the verification mail of an unverified account, or the `disownToken` of `cleaned`. The memberships of its creator are removed. The account is deleted, unless other memberships remain: then it stays with them, without credentials.',
    body: TokenBody,
    responses: {
      200: Type.Object({
        message: Type.String(),
        accountDeleted: Type.Boolean({ description: 'False if other memberships remain' }),
      }),
    },
    errors: ['invalid_token'],
    handle: async ({ body, origin }) => {
      const accountDeleted = await disownAccount(deps, body.token, origin)
      const message = accountDeleted
        ? 'The account was deleted; the email address is free'
        : 'Everything that its creator had was removed; the account stays with other teams that added the email address'
      return { message, accountDeleted }
    },
  }),
]
