import { createRoute } from '@tanstack/react-router'
import { signedInRoute } from '../../shell/signed-in-route'
import { lazyPage } from '../../ui/page/lazy-page'
import { listSearch } from '../../ui/table/view'

const mailsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/instance/mails',
  validateSearch: listSearch,
  component: lazyPage(() => import('./mails-page'), 'MailsPage'),
})

const mailRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/instance/mails/$id',
  component: lazyPage(() => import('./mail-page'), 'MailPage'),
})

export const mailRoutes = [mailsRoute, mailRoute] as const
