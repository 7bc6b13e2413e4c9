/**
 * How this page was reached. Links in mails carry one-time secrets; they are read once into memory and removed from the
 * address bar, so that they reach no history entry, no screenshot and no later request.
 */
const secretNames = ['token', 'mfaToken', 'email'] as const

type SecretName = (typeof secretNames)[number]

function takeArrival() {
  const href = location.href
  const url = new URL(href)
  const secrets: Partial<Record<SecretName, string>> = {}
  for (const name of secretNames) {
    const value = url.searchParams.get(name)
    if (value) secrets[name] = value
    url.searchParams.delete(name)
  }
  if (url.href !== href) history.replaceState(null, '', url.pathname + url.search + url.hash)
  return { href, path: url.pathname, secrets }
}

export const arrival = takeArrival()

/** The secret a mailed link brought to `path`, also after the visitor went through other pages of this tab in between. */
export function arrivedWith(path: string, name: SecretName): string | undefined {
  return arrival.path === path ? arrival.secrets[name] : undefined
}
