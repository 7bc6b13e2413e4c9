import Type from 'typebox'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import type { AccountDeps } from '../deps.js'
import { Email } from '../schema.js'
import { onboard } from './onboard.js'

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
]
