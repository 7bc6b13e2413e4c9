import { QueryClientProvider } from '@tanstack/react-query'
import { createRouter, RouterProvider } from '@tanstack/react-router'
import { onEnrollmentDue } from './api/enrollment-due'
import { queryClient } from './api/query-client'
import { profileRoute } from './features/account/profile/routes'
import { securityRoute } from './features/account/security/routes'
import { sessionsRoute } from './features/account/sessions/routes'
import { applicationRoutes, tryCallbackRoute } from './features/applications/routes'
import { directoryRoutes } from './features/directory/routes'
import { groupRoutes } from './features/groups/routes'
import { homeRoute } from './features/home/routes'
import { invitationsRoute } from './features/invitations/routes'
import { mailRoutes } from './features/mails/routes'
import { teamsRoute } from './features/organizations/routes'
import { teamOverviewRoute } from './features/overview/routes'
import { startRoute } from './features/pages/routes'
import { rolesRoute } from './features/roles/routes'
import { myAppsRoute } from './features/sign-in/consent/routes'
import { signInProviderRoutes } from './features/sign-in-providers/routes'
import { teamSettingsRoutes } from './features/team-settings/routes'
import { userRoutes } from './features/users/routes'
import { hrefOf } from './navigation/href'
import { accountRoute } from './shell/account-route'
import { rootRoute } from './shell/root-route'
import { signedInRoute } from './shell/signed-in-route'
import { teamRoute } from './shell/team-route'
import { Appearance } from './ui/document/appearance'
import { Splash } from './ui/document/splash'

const router = createRouter({
  routeTree: rootRoute.addChildren([
    startRoute,
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
        ...teamSettingsRoutes,
      ]),
    ]),
  ]),
  defaultPendingComponent: Splash,
  // Shown only by routes that wait for the session: a page that loads keeps the previous one.
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

onEnrollmentDue(() => location.replace(hrefOf('/mfa/enroll', { returnTo: router.state.location.href })))

export function App() {
  return (
    <Appearance>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </Appearance>
  )
}
