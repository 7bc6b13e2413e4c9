import { redirect } from '@tanstack/react-router'
import { session } from '../../api/session'
import { boot } from '../../boot'
import { dueFirst } from '../../navigation/due-first'

/** Requires a session for a page: waits until its state is known, then continues or redirects. */
export async function requireSession({ location }: { location: { href: string; pathname: string } }) {
  if (!(await session.restore())) {
    // Before the first administrator exists, no user can sign in.
    if (!boot.onboarded) throw redirect({ to: '/setup', replace: true })
    const returnTo = location.href === '/' ? undefined : location.href
    throw redirect({ to: '/login', search: { returnTo }, replace: true })
  }
  const due = dueFirst(session.view(), location.href)
  if (due && due.to !== location.pathname) throw redirect({ ...due, replace: true })
}
