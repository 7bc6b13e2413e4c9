import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { session } from '../../api/session'
import { boot } from '../../boot'
import { safeReturn } from '../../navigation/return-to'
import { returnToSearch } from '../../navigation/return-to-search'
import { afterSignIn, requestOf, type SignInSearch, samlRequestOf, signInSearch } from '../../navigation/sign-in-search'
import { SPLASH_AFTER_MS } from '../../navigation/splash-after'
import { rootRoute } from '../../shell/root-route'
import { wantsFreshSignIn } from './calls'
import { challenge } from './challenge'
import { rememberAddress, typedAddress } from './typed-address'

/** Forwards a signed-in user, unless an application requires a fresh sign-in. The service is requested only if there may be a session. */
async function passOn({ search }: { search: SignInSearch }) {
  const request = requestOf(search)
  const saml = samlRequestOf(search)
  if (request === null || saml === null)
    throw redirect({ to: '/error', search: { code: 'unknown_provider' }, replace: true })
  if (!(boot.hasSession || session.view()) || !(await session.restore())) return
  const asked = request ?? saml
  if (asked && (search.fresh || (await wantsFreshSignIn(asked)))) {
    if (!typedAddress()) rememberAddress(session.view()?.user.email ?? '')
    return
  }
  throw redirect({ href: safeReturn(afterSignIn(search)), replace: true })
}

/** The page works with and without a session, and only needs to know whether there is one. */
async function findOut() {
  if (boot.hasSession) await session.restore()
}

export const accountsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/login',
    validateSearch: signInSearch,
    pendingMs: SPLASH_AFTER_MS,
    beforeLoad: passOn,
    component: lazyRouteComponent(() => import('./login-page'), 'LoginPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/register',
    validateSearch: signInSearch,
    pendingMs: SPLASH_AFTER_MS,
    beforeLoad: passOn,
    component: lazyRouteComponent(() => import('./register-page'), 'RegisterPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/login/link',
    validateSearch: signInSearch,
    pendingMs: SPLASH_AFTER_MS,
    beforeLoad: passOn,
    component: lazyRouteComponent(() => import('./link-page'), 'LinkPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/auth/verify',
    validateSearch: returnToSearch,
    component: lazyRouteComponent(() => import('./verify-page'), 'VerifyPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/forgot-password',
    validateSearch: signInSearch,
    component: lazyRouteComponent(() => import('./forgot-password-page'), 'ForgotPasswordPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/reset-password',
    component: lazyRouteComponent(() => import('./reset-password-page'), 'ResetPasswordPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/verify-email',
    pendingMs: SPLASH_AFTER_MS,
    beforeLoad: findOut,
    component: lazyRouteComponent(() => import('./verify-email-page'), 'VerifyEmailPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/confirm-email',
    pendingMs: SPLASH_AFTER_MS,
    beforeLoad: findOut,
    component: lazyRouteComponent(() => import('./confirm-email-page'), 'ConfirmEmailPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/invitations/$token',
    pendingMs: SPLASH_AFTER_MS,
    beforeLoad: findOut,
    component: lazyRouteComponent(() => import('./invitation-page'), 'InvitationPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/setup',
    component: lazyRouteComponent(() => import('../setup/setup-page'), 'SetupPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/mfa',
    validateSearch: signInSearch,
    beforeLoad: ({ search }) => {
      if (!challenge()) throw redirect({ to: '/login', search, replace: true })
    },
    component: lazyRouteComponent(() => import('./mfa-page'), 'MfaPage'),
  }),
] as const
