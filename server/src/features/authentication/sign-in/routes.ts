import Type from 'typebox'
import { TEAM_RESTRICTIONS } from '../../../platform/http/actor.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { presentSession, Session } from '../../sessions/index.js'
import type { AccountDeps } from '../deps.js'
import { requestLink } from '../recovery/request-link.js'
import { Email, EmailBody, Message, Password, remember, Token } from '../schema.js'
import { countActiveUsers } from './active-users.js'
import { logIn } from './log-in.js'
import { logOutCaller } from './log-out.js'
import { signInByLink } from './sign-in-by-link.js'
import { ifSignedIn, presentSignIn, respondToSignIn, SIGN_IN_ERRORS, signInRequest } from './sign-in-exchange.js'
import { switchTeam } from './switch-team.js'

const publicPost = { method: 'POST', permission: 'public', tag: 'Sign-in and password' } as const

export const signInRoutes = (deps: AccountDeps): Route[] => [
  defineRoute({
    ...publicPost,
    path: '/api/v1/auth/login',
    summary: 'Sign in with a password',
    description:
      "Accepts the account's password, or the user's password at the LDAP directory of a team that allows its members to sign in with it. A session by a directory is restricted to the team.",
    body: Type.Object({
      email: Email,
      password: Password,
      teamId: Type.Optional(
        Type.String({
          maxLength: 100,
          description:
            'The team to select, by its ID or (extension) its slug. A password of one team is accepted without it only if the team is the home team, a confirmed one, or the only one that has set a password.',
        }),
      ),
      remember,
    }),
    responses: { 200: Session },
    errors: [
      'invalid_credentials',
      ...SIGN_IN_ERRORS,
      'role_protected',
      'directory_password_expired',
      'directory_orphaned',
    ],
    handle: (context) => respondToSignIn(deps, context, context.body, (request) => logIn(deps, context.body, request)),
  }),
  defineRoute({
    ...publicPost,
    path: '/api/v1/auth/verify',
    summary: 'Sign in with a mailed link',
    description:
      'Also verifies the email address. The first verification removes the password and the sessions of an unverified account that another person may have registered; `cleaned` lists what was removed. With an unrestricted access token of the account, it revokes only credentials that this session neither signed in with nor created.',
    body: Type.Object({ token: Token, remember }),
    responses: { 200: Session },
    errors: ['invalid_token', ...SIGN_IN_ERRORS],
    handle: async (context) => {
      const request = signInRequest(context, context.body)
      // A link is accepted in a browser whose last session has ended.
      const caller = await ifSignedIn(context.signedIn)
      const { signedIn, cleaned } = await signInByLink(deps, context.body.token, request, caller)
      return { ...(await presentSignIn(deps, context.http, request, signedIn)), ...(cleaned && { cleaned }) }
    },
  }),
  defineRoute({
    ...publicPost,
    path: '/api/v1/auth/magic-link',
    summary: 'Request a sign-in link by mail; the response is the same for every email address',
    body: EmailBody,
    responses: { 200: Message },
    handle: async ({ body, origin }) => {
      await requestLink(deps, 'magic_link', body.email, origin)
      return { message: 'If this email address can sign in here, a link is on its way' }
    },
  }),
  defineRoute({
    ...publicPost,
    path: '/api/v1/auth/logout',
    summary: 'End the session',
    description: 'Identified by the access token, or in cookie mode by the cookie alone. Both cookies are cleared.',
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
    allowedRestrictions: TEAM_RESTRICTIONS,
    tag: 'Sessions',
    summary: 'Select another team of the caller in the same session',
    description:
      'Evaluates the sign-in policies of the team. If the team requires a second factor that the session has not verified, the response is a challenge (`mfaRequired`); completing it starts a session that replaces this one.',
    body: Type.Object({ teamId: Type.String({ maxLength: 100 }) }),
    responses: { 200: Session },
    errors: ['not_a_member', 'team_sign_in_required', 'team_suspended', 'sign_in_denied', 'second_factor_required'],
    handle: async (context) => {
      const { actor, body, http } = context
      const request = signInRequest(context)
      const switched = await switchTeam(deps, actor, body.teamId, request)
      return 'mfaToken' in switched ? presentSignIn(deps, http, request, switched) : presentSession(http, switched)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/stats/active-sessions',
    permission: 'org:read',
    tag: 'Instance settings',
    summary: 'Count the users of the team who signed in within the last 24 hours',
    responses: { 200: Type.Object({ activeSessions: Type.Integer(), periodHours: Type.Literal(24) }) },
    handle: async ({ actor }) => ({
      activeSessions: await countActiveUsers(deps, actor.teamId),
      periodHours: 24 as const,
    }),
  }),
]
