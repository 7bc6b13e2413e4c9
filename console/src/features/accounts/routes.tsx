import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { session } from '../../api/session'
import { boot } from '../../boot'
import { safeReturn } from '../../navigation/return-to'
import { type ReturnToSearch, returnToSearch } from '../../navigation/return-to-search'
import { rootRoute } from '../../shell/root-route'

/** Whoever is signed in already goes on. Asked only where the page came with a sign of a session. */
async function passOn({ search }: { search: ReturnToSearch }) {
  if ((boot.hasSession || session.view()) && (await session.restore()))
    throw redirect({ href: safeReturn(search.returnTo), replace: true })
}

/** The confirmation page serves both, so it only needs to know. */
async function findOut() {
  if (boot.hasSession) await session.restore()
}

export const accountsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/login',
    validateSearch: returnToSearch,
    beforeLoad: passOn,
    component: lazyRouteComponent(() => import('./login-page'), 'LoginPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/register',
    validateSearch: returnToSearch,
    beforeLoad: passOn,
    component: lazyRouteComponent(() => import('./register-page'), 'RegisterPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/login/link',
    validateSearch: returnToSearch,
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
    beforeLoad: findOut,
    component: lazyRouteComponent(() => import('./verify-email-page'), 'VerifyEmailPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/setup',
    component: lazyRouteComponent(() => import('./setup-page'), 'SetupPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/mfa',
    component: lazyRouteComponent(() => import('./mfa-page'), 'MfaPage'),
  }),
] as const
