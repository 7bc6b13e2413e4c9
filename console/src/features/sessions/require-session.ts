import { redirect } from '@tanstack/react-router'
import { session } from '../../api/session'
import { boot } from '../../boot'
import { dueFirst } from '../../navigation/due-first'

/** For pages that need somebody signed in: waits until it is known, then lets through or leads to the right place. */
export async function requireSession({ location }: { location: { href: string; pathname: string } }) {
  if (!(await session.restore())) {
    // On the first start there is nobody who could sign in.
    if (!boot.onboarded) throw redirect({ to: '/setup', replace: true })
    const returnTo = location.href === '/' ? undefined : location.href
    throw redirect({ to: '/login', search: { returnTo }, replace: true })
  }
  const due = dueFirst(session.view(), location.href)
  if (due && due.to !== location.pathname) throw redirect({ ...due, replace: true })
}
