/**
 * Remembers that this browser requested a sign-in link, and the destination: a link that arrives soon after is redeemed without a click.
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
    // Without storage, the page requires a click, as in any other browser.
  }
}

/** Returns the request of the last 15 minutes, or null, and deletes it: one request allows one automatic sign-in. */
export function takeLinkAsked(): Asked | null {
  try {
    const asked = JSON.parse(localStorage.getItem(key) ?? 'null') as Asked | null
    localStorage.removeItem(key)
    return asked && Date.now() - asked.at < freshMs ? asked : null
  } catch {
    return null
  }
}
