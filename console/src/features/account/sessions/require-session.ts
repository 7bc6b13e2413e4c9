import { session } from '../../../api/session'
import { boot } from '../../../boot'
import { dueFirst } from '../../../navigation/due-first'
import { hrefOf } from '../../../navigation/href'

/** Returns the URL of the page that must come first (sign-in, setup, new password, two-step verification), or undefined. */
export async function detourFrom({ href, path }: { href: string; path: string }): Promise<string | undefined> {
  if (!(await session.restore())) {
    if (!boot.onboarded) return '/setup'
    return hrefOf('/login', { returnTo: href === '/' ? undefined : href })
  }
  const due = dueFirst(session.view(), href)
  return due && due.to !== path ? hrefOf(due.to, due.search) : undefined
}

/** For pages of the console. The detours are in another document: the promise stays pending while the browser leaves. */
export async function requireSession({
  location: { href, pathname },
}: {
  location: { href: string; pathname: string }
}) {
  const detour = await detourFrom({ href, path: pathname })
  if (detour === undefined) return
  location.replace(detour)
  return new Promise<never>(() => {})
}
