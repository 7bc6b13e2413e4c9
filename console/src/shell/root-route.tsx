import { createRootRoute, Outlet } from '@tanstack/react-router'
import { Announcer } from '../design/announcer'
import { SkipLink } from '../design/skip-link'
import { CrashPage } from '../features/pages/crash-page'
import { NotFoundPage } from '../features/pages/not-found-page'

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
