/**
 * That this browser asked for a sign-in link, when, and where its visitor wanted to go: a link that comes back soon after may
 * be redeemed without another click.
 */
const key = 'keyward.link-asked'
const freshMs = 15 * 60_000

interface Asked {
  at: number
  returnTo?: string | undefined
}

export function markLinkAsked(returnTo?: string) {
  try {
    localStorage.setItem(key, JSON.stringify({ at: Date.now(), returnTo } satisfies Asked))
  } catch {
    // Without storage the page asks for a click, as it does in any other browser.
  }
}

/** What was asked for here in the last 15 minutes, or null. Forgets it: one request, one automatic sign-in. */
export function takeLinkAsked(): Asked | null {
  try {
    const asked = JSON.parse(localStorage.getItem(key) ?? 'null') as Asked | null
    localStorage.removeItem(key)
    return asked && Date.now() - asked.at < freshMs ? asked : null
  } catch {
    return null
  }
}
