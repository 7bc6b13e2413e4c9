import { createRootRoute, Outlet } from '@tanstack/react-router'
import { CrashPage } from '../features/pages/crash-page'
import { NotFoundPage } from '../features/pages/not-found-page'
import { Announcer } from '../ui/announcer'
import { SkipLink } from '../ui/skip-link'

export const rootRoute = createRootRoute({
  component: () => (
    <>
      <SkipLink />
      <Announcer />
      <Outlet />
    </>
  ),
  errorComponent: CrashPage,
  notFoundComponent: NotFoundPage,
})
