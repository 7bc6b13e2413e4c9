import { createRootRoute, Outlet } from '@tanstack/react-router'
import { CrashPage } from '../features/pages/crash-page'
import { NotFoundPage } from '../features/pages/not-found-page'
import { Announcer } from '../ui/document/announcer'
import { SkipLink } from '../ui/document/skip-link'

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
