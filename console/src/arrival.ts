import { invitationIn } from './navigation/invitation-in'

/**
 * The URL with which this document was opened. Links in mails carry one-time secrets, which are read once and removed from the address
 * bar, so that no history entry, screenshot or later request contains them.
 */
const secretNames = ['token', 'mfaToken', 'email'] as const

/** An invitation carries its secret in the path; this path replaces it. */
export const INVITATION = '/invitations/link'

/** Pages that receive one-time responses of other programs: their query is removed. */
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

/** On the server. Pages that need the arrival are rendered in the browser. */
const none: ReturnType<typeof takeArrival> = { href: '', path: '', secrets: {}, query: new URLSearchParams() }

export const arrival = typeof location === 'undefined' ? none : takeArrival()

/** Returns the secret of a mailed link to `path`, also after other pages in this tab. */
export function arrivedWith(path: string, name: SecretName): string | undefined {
  return arrival.path === path ? arrival.secrets[name] : undefined
}

/** Returns the query of a response to `path`. */
export function arrivedQuery(path: string): URLSearchParams {
  return arrival.path === path ? arrival.query : new URLSearchParams()
}
