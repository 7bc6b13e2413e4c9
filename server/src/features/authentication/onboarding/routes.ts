import Type from 'typebox'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { Session } from '../../sessions/index.js'
import { DisplayName } from '../../settings/index.js'
import type { AccountDeps } from '../deps.js'
import { Email, remember, Token } from '../schema.js'
import { presentSignIn, SIGN_IN_ERRORS, signInRequest } from '../sign-in/sign-in-exchange.js'
import { onboard } from './onboard.js'
import { setUpInstance } from './setup-link.js'

export const onboardingRoutes = (deps: AccountDeps): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/v1/onboard',
    permission: 'public',
    tag: 'Instance settings',
    summary: 'Appoint the first super-admin of the instance and mail them a sign-in link; works once',
    headers: { 'x-setup-secret': 'Must be SETUP_SECRET if that is set' },
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
        message: 'A sign-in link was sent to the administrator',
        user: { ...user, role: 'SUPER_ADMIN' as const },
      }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/onboard/setup-link',
    permission: 'public',
    tag: 'Instance settings',
    summary: 'Appoint the first super-admin of the instance with the setup link, and sign in; works once',
    description:
      'The start of the service prints the link on a loopback `BASE_URL` without `SMTP_URL`, until an administrator is appointed. It is valid once, for 15 minutes, until the next start. The email address counts as verified.',
    body: Type.Object({
      token: Token,
      adminEmail: Email,
      teamName: Type.Optional(
        Type.String({
          ...DisplayName,
          description: 'Default: the name of the instance. Without `://`, `www.` and `@`',
        }),
      ),
      remember,
    }),
    responses: { 200: Session },
    errors: ['invalid_token', 'already_onboarded', ...SIGN_IN_ERRORS],
    handle: async (context) => {
      const request = signInRequest(context, context.body)
      const { signedIn, cleaned } = await setUpInstance(deps, context.body, request)
      return { ...(await presentSignIn(deps, context.http, request, signedIn)), ...(cleaned && { cleaned }) }
    },
  }),
]
