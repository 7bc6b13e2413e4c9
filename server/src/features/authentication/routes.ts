import Type from 'typebox'
import { DUE_IN_TEAM, RESTRICTIONS } from '../../platform/http/actor.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { deviceCookie, presentSession, Session } from '../sessions/index.js'
import type { AccountDeps } from './deps.js'
import { acceptanceRoutes } from './invitations/routes.js'
import { onboard } from './onboarding/onboard.js'
import { changePassword } from './own-account/change-password.js'
import { readMe } from './own-account/read-me.js'
import { requestLink } from './recovery/request-link.js'
import { resetPassword } from './recovery/reset-password.js'
import { disownAccount } from './registration/disown-account.js'
import { register } from './registration/register.js'
import { resendVerification, verifyEmail } from './registration/verify-email.js'
import {
  ChangeBody,
  Email,
  EmailBody,
  LoginBody,
  Me,
  Message,
  presentMe,
  RegisterBody,
  ResetBody,
  ResetDone,
  TokenBody,
  VerifyBody,
} from './schema.js'
import { ACTIVE_USERS_HOURS, countActiveUsers } from './sign-in/active-users.js'
import { logIn } from './sign-in/log-in.js'
import { logOutCaller } from './sign-in/log-out.js'
import { signInByLink } from './sign-in/sign-in-by-link.js'
import { answer, ifSignedIn, SIGN_IN_ERRORS, signInRequest } from './sign-in/sign-in-exchange.js'
import { switchTeam } from './sign-in/switch-team.js'

const SIGN_IN = 'Sign-in and password'

export const accountRoutes = (deps: AccountDeps): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/v1/auth/register',
    permission: 'public',
    tag: SIGN_IN,
    summary: 'Make an account with a team of its own, and sign it in',
    body: RegisterBody,
    responses: { 201: Session },
    errors: ['email_taken', 'password_policy', 'sign_up_not_allowed', ...SIGN_IN_ERRORS],
    handle: async (context) => {
      const request = signInRequest(context, context.body)
      return answer(deps, context.http, request, await register(deps, context.body, request))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/auth/login',
    permission: 'public',
    tag: SIGN_IN,
    summary: 'Sign in by password',
    description:
      'By the password of the account, or by the one that the person has at the LDAP directory of a team that lets its people sign in so; the session is then confined to that team.',
    body: LoginBody,
    responses: { 200: Session },
    errors: ['invalid_credentials', ...SIGN_IN_ERRORS, 'role_protected', 'directory_orphaned'],
    handle: async (context) => {
      const request = signInRequest(context, context.body)
      return answer(deps, context.http, request, await logIn(deps, context.body, request))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/auth/verify',
    permission: 'public',
    tag: SIGN_IN,
    summary: 'Sign in by a link sent by mail',
    description:
      'A proof by mail of an account that somebody registered and nobody had proven first removes its password and its sessions; `cleaned` says what was removed. Sent with the Bearer of the account itself it removes nothing.',
    body: VerifyBody,
    responses: { 200: Session },
    errors: ['invalid_token', ...SIGN_IN_ERRORS],
    handle: async (context) => {
      const request = signInRequest(context, context.body)
      // A link works in a browser whose last session has ended.
      const caller = await ifSignedIn(context.signedIn)
      const { signedIn, cleaned } = await signInByLink(deps, context.body.token, request, caller)
      return { ...(await answer(deps, context.http, request, signedIn)), ...(cleaned && { cleaned }) }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/auth/magic-link',
    permission: 'public',
    tag: SIGN_IN,
    summary: 'Ask for a link by mail that signs in; the answer is the same for every address',
    body: EmailBody,
    responses: { 200: Message },
    handle: async ({ body, origin }) => {
      await requestLink(deps, 'magic_link', body.email, origin)
      return { message: 'If this address can sign in here, a link is on its way' }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/auth/forgot-password',
    permission: 'public',
    tag: SIGN_IN,
    summary: 'Ask for a link by mail that sets a new password; the answer is the same for every address',
    body: EmailBody,
    responses: { 200: Message },
    handle: async ({ body, origin }) => {
      await requestLink(deps, 'password_reset', body.email, origin)
      return { message: 'If this address has an account, a link to choose a new password is on its way' }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/auth/reset-password',
    permission: 'public',
    tag: SIGN_IN,
    summary: 'Set a new password by the mailed link; every session ends',
    body: ResetBody,
    responses: { 200: ResetDone },
    errors: ['invalid_token', 'password_policy', 'password_replaced'],
    handle: async ({ body, origin }) => {
      const cleaned = await resetPassword(deps, body.token, body.newPassword, origin)
      return { message: 'The password was changed; sign in with it', ...(cleaned && { cleaned }) }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/auth/change-password',
    endsSessions: true,
    permission: 'signed-in',
    accountWide: true,
    whileRestricted: ['password_change', 'team_password_change'],
    tag: SIGN_IN,
    summary: "Change the caller's password; all other sessions end",
    body: ChangeBody,
    responses: { 200: Message },
    errors: [
      'wrong_password',
      'password_policy',
      'password_replaced',
      'reauthentication_required',
      'team_sign_in_required',
    ],
    handle: async ({ actor, body, http }) => {
      const proof = { password: body.currentPassword, deviceToken: deviceCookie(http) }
      await changePassword(deps, actor, proof, body.newPassword)
      return { message: 'The password was changed; all other sessions were ended' }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/auth/me',
    permission: 'signed-in',
    whileRestricted: RESTRICTIONS.filter((restriction) => restriction !== 'team_sign_in'),
    tag: SIGN_IN,
    summary: 'Who the caller is, and what they may do in the team',
    responses: { 200: Me },
    errors: ['not_a_member', 'team_sign_in_required', 'team_suspended'],
    handle: async ({ actor }) => presentMe(actor, await readMe(deps, actor)),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/auth/logout',
    permission: 'public',
    tag: SIGN_IN,
    summary: 'End the session',
    description: 'By the Bearer, or in cookie mode by the cookie alone. Both cookies are taken away.',
    responses: { 200: Message },
    errors: ['unauthorized', 'invalid_access_token'],
    handle: async (context) => {
      await logOutCaller(deps, context)
      return { message: 'Signed out' }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/auth/switch-team',
    permission: 'signed-in',
    whileRestricted: DUE_IN_TEAM,
    tag: 'Sessions',
    summary: 'Open another team of the caller in the same session',
    description:
      'The rules of sign-in of that team are asked. Where they require a second factor that the session has not proven, the answer is a challenge (`mfaRequired`), and the session that it leads to takes the place of this one.',
    body: Type.Object({ teamId: Type.String({ maxLength: 100 }) }),
    responses: { 200: Session },
    errors: ['not_a_member', 'team_sign_in_required', 'team_suspended', 'sign_in_denied', 'second_factor_required'],
    handle: async (context) => {
      const { actor, body, http } = context
      const request = signInRequest(context)
      const switched = await switchTeam(deps, actor, body.teamId, request)
      return 'mfaToken' in switched ? answer(deps, http, request, switched) : presentSession(http, switched)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/auth/verify-email',
    endsSessions: true,
    permission: 'signed-in',
    tag: SIGN_IN,
    summary: "Prove the caller's address by the mailed link",
    body: TokenBody,
    responses: { 200: Message },
    errors: ['invalid_token', 'wrong_account', 'team_sign_in_required'],
    handle: async ({ actor, body }) => {
      await verifyEmail(deps, actor, body.token)
      return { message: 'The address is confirmed' }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/auth/verify-email/resend',
    permission: 'signed-in',
    tag: SIGN_IN,
    summary: "Mail a new link that proves the caller's address",
    responses: { 200: Message },
    handle: async ({ actor }) => {
      await resendVerification(deps, actor)
      return { message: 'If the address is not confirmed yet, a link is on its way' }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/auth/disown',
    permission: 'public',
    tag: SIGN_IN,
    summary: '"I did not create this account": remove what another person created with this address',
    description:
      'Takes the token of the mail that asks to confirm the address of an unproven account, or the `disownToken` of `cleaned`. The memberships of its creator are removed. The account is deleted, unless other teams have memberships in it: then it stays with them, without credentials.',
    body: TokenBody,
    responses: {
      200: Type.Object({
        message: Type.String(),
        accountDeleted: Type.Boolean({ description: 'False where other teams have memberships in the account' }),
      }),
    },
    errors: ['invalid_token'],
    handle: async ({ body, origin }) => {
      const accountDeleted = await disownAccount(deps, body.token, origin)
      const message = accountDeleted
        ? 'The account was deleted; the address is free'
        : 'Everything that its creator had was removed; the account stays with other teams that added the address'
      return { message, accountDeleted }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/onboard',
    permission: 'public',
    tag: 'Instance settings',
    summary: 'Name the first super-admin of the instance and mail them a link; works once',
    headers: { 'x-setup-secret': 'Must be SETUP_SECRET where that is set' },
    body: Type.Object({ adminEmail: Email }),
    responses: {
      200: Type.Object({
        message: Type.String(),
        user: Type.Object({ id: Type.String(), email: Type.String(), role: Type.Literal('SUPER_ADMIN') }),
      }),
    },
    errors: ['already_onboarded', 'setup_secret_required'],
    handle: async ({ body, http, origin }) => {
      const user = await onboard(deps, body.adminEmail, http.header('x-setup-secret'), origin)
      return {
        message: 'A link to sign in was sent to the administrator',
        user: { ...user, role: 'SUPER_ADMIN' as const },
      }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/stats/active-sessions',
    permission: 'org:read',
    tag: 'Instance settings',
    summary: 'How many users of the team signed in within the last 24 hours',
    responses: { 200: Type.Object({ activeSessions: Type.Integer(), periodHours: Type.Literal(24) }) },
    handle: async ({ actor }) => ({
      activeSessions: await countActiveUsers(deps, actor.teamId),
      periodHours: ACTIVE_USERS_HOURS,
    }),
  }),
  ...acceptanceRoutes(deps),
]
