import { invitationIn } from './navigation/invitation-in'

/**
 * How this page was reached. Links in mails carry one-time secrets; they are read once into memory and removed from the
 * address bar, so that they reach no history entry, no screenshot and no later request.
 */
const secretNames = ['token', 'mfaToken', 'email'] as const

/** An invitation carries its secret in the path; to this the address bar is changed. */
export const INVITATION = '/invitations/link'

/** Pages that other programs send browsers to, with answers that are for once: nothing of their query stays. */
const answerPaths = ['/try/callback', '/auth/sso/callback']

type SecretName = (typeof secretNames)[number]

/** The setup link carries its secret in the fragment, which browsers do not send. */
export const secretFragment = () => /^#token=(.+)/.exec(location.hash)?.[1]

function takeArrival() {
  const href = location.href
  const url = new URL(href)
  const secrets: Partial<Record<SecretName, string>> = {}
  const invitation = invitationIn(url.pathname)
  if (invitation) {
    secrets.token = invitation
    url.pathname = INVITATION
  }
  const fragment = secretFragment()
  if (fragment) {
    secrets.token = fragment
    url.hash = ''
  }
  for (const name of secretNames) {
    const value = url.searchParams.get(name)
    if (value) secrets[name] = value
    url.searchParams.delete(name)
  }
  const query = new URLSearchParams(answerPaths.includes(url.pathname) ? url.search : '')
  if (String(query)) url.search = ''
  if (url.href !== href) history.replaceState(null, '', url.pathname + url.search + url.hash)
  return { href, path: url.pathname, secrets, query }
}

/** Nothing on the server: pages that need it are rendered in the browser. */
const none: ReturnType<typeof takeArrival> = { href: '', path: '', secrets: {}, query: new URLSearchParams() }

export const arrival = typeof location === 'undefined' ? none : takeArrival()

/** The secret a mailed link brought to `path`, also after the visitor went through other pages of this tab in between. */
export function arrivedWith(path: string, name: SecretName): string | undefined {
  return arrival.path === path ? arrival.secrets[name] : undefined
}

/** The query that an answer of another program brought to `path`. */
export function arrivedQuery(path: string): URLSearchParams {
  return arrival.path === path ? arrival.query : new URLSearchParams()
}
