import { createRoute, redirect } from '@tanstack/react-router'
import { session } from '../../api/session'
import { dueFirst } from '../../navigation/due-first'
import { requestOf, samlRequestOf, signInSearch } from '../../navigation/sign-in-search'
import { SPLASH_AFTER_MS } from '../../navigation/splash-after'
import { accountRoute } from '../../shell/account-route'
import { rootRoute } from '../../shell/root-route'
import { lazyPage } from '../../ui/lazy-page'
import { requireSession } from '../sessions/require-session'

export const consentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/consent',
  validateSearch: signInSearch,
  pendingMs: SPLASH_AFTER_MS,
  beforeLoad: async ({ search, location }) => {
    const request = requestOf(search)
    const saml = samlRequestOf(search)
    // Anyone can create this URL: the user's token is sent to providers of this service only.
    if (request === null || saml === null || !(request ?? saml))
      throw redirect({ to: '/error', search: { code: 'unknown_provider' }, replace: true })
    if (!(await session.restore())) throw redirect({ to: '/login', search, replace: true })
    const due = dueFirst(session.view(), location.href)
    if (due) throw redirect({ ...due, replace: true })
    return { request, saml }
  },
  component: lazyPage(() => import('./consent-page'), 'ConsentPage'),
})

export interface DeviceSearch {
  /** the code, from the complete verification URL (RFC 8628, 3.3.1) */
  user_code?: string | undefined
  result?: 'approved' | 'denied' | undefined
}

export const deviceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/device',
  validateSearch: ({ user_code, result }: Record<string, unknown>): DeviceSearch => ({
    ...(user_code !== undefined && { user_code: String(user_code) }),
    ...((result === 'approved' || result === 'denied') && { result }),
  }),
  pendingMs: SPLASH_AFTER_MS,
  beforeLoad: async ({ search, location }) => {
    if (!search.result) await requireSession({ location })
  },
  component: lazyPage(() => import('./device-page'), 'DevicePage'),
})

export const myAppsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/apps',
  component: lazyPage(() => import('./apps-page'), 'AppsPage'),
})
