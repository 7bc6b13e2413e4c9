import { QueryClientProvider } from '@tanstack/react-query'
import { createRouter, RouterProvider } from '@tanstack/react-router'
import { onEnrollmentDue } from './api/enrollment-due'
import { queryClient } from './api/query-client'
import { Appearance } from './design/appearance'
import { Splash } from './design/splash'
import { accountsRoutes } from './features/accounts/routes'
import { applicationRoutes, tryCallbackRoute } from './features/applications/routes'
import { passwordDueRoute, securityRoute } from './features/credentials/routes'
import { directoryRoutes } from './features/directory/routes'
import { profileRoute } from './features/identities/routes'
import { enrollRoute } from './features/mfa/routes'
import { consentRoute, deviceRoute, myAppsRoute } from './features/oidc-provider/routes'
import { teamOverviewRoute, teamsRoute } from './features/organizations/routes'
import { pagesRoutes } from './features/pages/routes'
import { leavingRoutes, sessionsRoute } from './features/sessions/routes'
import { ssoCallbackRoute, ssoRoutes } from './features/sso/routes'
import { accountRoute } from './shell/account-route'
import { rootRoute } from './shell/root-route'
import { signedInRoute } from './shell/signed-in-route'
import { teamRoute } from './shell/team-route'

const router = createRouter({
  routeTree: rootRoute.addChildren([
    ...pagesRoutes,
    ...accountsRoutes,
    ...leavingRoutes,
    ssoCallbackRoute,
    consentRoute,
    deviceRoute,
    passwordDueRoute,
    enrollRoute,
    signedInRoute.addChildren([
      accountRoute.addChildren([profileRoute, securityRoute, sessionsRoute, myAppsRoute, teamsRoute]),
      tryCallbackRoute,
      teamRoute.addChildren([teamOverviewRoute, ...applicationRoutes, ...ssoRoutes, ...directoryRoutes]),
    ]),
  ]),
  defaultPendingComponent: Splash,
  defaultPendingMs: 400,
  defaultPendingMinMs: 0,
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

onEnrollmentDue(() => {
  const { href, pathname } = router.state.location
  if (pathname !== '/mfa/enroll') router.navigate({ to: '/mfa/enroll', search: { returnTo: href }, replace: true })
})

export function App() {
  return (
    <Appearance>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </Appearance>
  )
}
