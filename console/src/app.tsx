import { QueryClientProvider } from '@tanstack/react-query'
import { createRouter, RouterProvider } from '@tanstack/react-router'
import { onEnrollmentDue } from './api/enrollment-due'
import { queryClient } from './api/query-client'
import { accountsRoutes } from './features/accounts/routes'
import { applicationRoutes, tryCallbackRoute } from './features/applications/routes'
import { passwordDueRoute, securityRoute } from './features/credentials/routes'
import { directoryRoutes } from './features/directory/routes'
import { groupRoutes } from './features/groups/routes'
import { homeRoute } from './features/home/routes'
import { profileRoute } from './features/identities/routes'
import { invitationsRoute } from './features/invitations/routes'
import { mailRoutes } from './features/mails/routes'
import { enrollRoute } from './features/mfa/routes'
import { consentRoute, deviceRoute, myAppsRoute } from './features/oidc-provider/routes'
import { teamOverviewRoute, teamsRoute } from './features/organizations/routes'
import { pagesRoutes } from './features/pages/routes'
import { rolesRoute } from './features/roles/routes'
import { leavingRoutes, sessionsRoute } from './features/sessions/routes'
import { signInProviderRoutes } from './features/sign-in-providers/routes'
import { ssoCallbackRoute } from './features/sso/routes'
import { userRoutes } from './features/users/routes'
import { accountRoute } from './shell/account-route'
import { rootRoute } from './shell/root-route'
import { signedInRoute } from './shell/signed-in-route'
import { teamRoute } from './shell/team-route'
import { Appearance } from './ui/appearance'
import { Splash } from './ui/splash'

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
      homeRoute,
      accountRoute.addChildren([profileRoute, securityRoute, sessionsRoute, myAppsRoute, teamsRoute]),
      ...mailRoutes,
      tryCallbackRoute,
      teamRoute.addChildren([
        teamOverviewRoute,
        ...userRoutes,
        ...groupRoutes,
        invitationsRoute,
        rolesRoute,
        ...applicationRoutes,
        ...signInProviderRoutes,
        ...directoryRoutes,
      ]),
    ]),
  ]),
  defaultPendingComponent: Splash,
  // Only routes that wait for the session show it: a page that loads leaves the page before it in place.
  defaultPendingMs: Number.POSITIVE_INFINITY,
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
