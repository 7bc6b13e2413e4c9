import Type from 'typebox'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { PasswordRules } from '../../password-policy/index.js'
import { Cleaned } from '../../sessions/index.js'
import type { AccountDeps } from '../deps.js'
import { EmailBody, Message, NewPassword, Token, TokenBody } from '../schema.js'
import { requestLink } from './request-link.js'
import { readResetPolicy, resetPassword } from './reset-password.js'

const publicPost = { method: 'POST', permission: 'public', tag: 'Sign-in and password' } as const

export const recoveryRoutes = (deps: AccountDeps): Route[] => [
  defineRoute({
    ...publicPost,
    path: '/api/v1/auth/forgot-password',
    summary: 'Request a password reset link by mail; the response is the same for every email address',
    body: EmailBody,
    responses: { 200: Message },
    handle: async ({ body, origin }) => {
      await requestLink(deps, 'password_reset', body.email, origin)
      return { message: 'If this email address has an account, a link to choose a new password is on its way' }
    },
  }),
  defineRoute({
    ...publicPost,
    path: '/api/v1/auth/reset-password',
    summary: 'Set a new password by the mailed link, and end every session',
    body: Type.Object({ token: Token, newPassword: NewPassword }),
    responses: { 200: Type.Object({ message: Type.String(), cleaned: Type.Optional(Cleaned) }) },
    errors: ['invalid_token', 'password_policy', 'password_replaced'],
    handle: async ({ body, origin }) => {
      const cleaned = await resetPassword(deps, body.token, body.newPassword, origin)
      return { message: 'The password was changed; sign in with it', ...(cleaned && { cleaned }) }
    },
  }),
  defineRoute({
    ...publicPost,
    path: '/api/v1/auth/reset-password/rules',
    summary: 'Return the rules for the new password of a reset link, which stays valid',
    description:
      'The rules are those of `POST /auth/reset-password`: the strictest of the confirmed teams of the user, field by field. After a sign-in by a link, `GET /auth/me` returns the rules for `POST /auth/change-password`.',
    body: TokenBody,
    responses: { 200: PasswordRules },
    errors: ['invalid_token'],
    handle: ({ body, origin }) => readResetPolicy(deps, body.token, origin),
  }),
]
