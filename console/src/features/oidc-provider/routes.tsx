import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { session } from '../../api/session'
import { dueFirst } from '../../navigation/due-first'
import { requestOf, signInSearch } from '../../navigation/sign-in-search'
import { rootRoute } from '../../shell/root-route'

export const consentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/consent',
  validateSearch: signInSearch,
  beforeLoad: async ({ search, location }) => {
    const request = requestOf(search)
    // Anybody can write this address: nothing but our own providers is called with the visitor's token.
    if (!request) throw redirect({ to: '/error', search: { code: 'unknown_provider' }, replace: true })
    if (!(await session.restore())) throw redirect({ to: '/login', search, replace: true })
    const due = dueFirst(session.view(), location.href)
    if (due) throw redirect({ ...due, replace: true })
    return { request }
  },
  component: lazyRouteComponent(() => import('./consent-page'), 'ConsentPage'),
})
