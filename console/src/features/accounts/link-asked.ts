/** When this browser asked for a sign-in link: one that comes back soon after may be redeemed without another click. */
const key = 'keyward.link-asked'
const freshMs = 15 * 60_000

export function markLinkAsked() {
  try {
    localStorage.setItem(key, String(Date.now()))
  } catch {
    // Without storage the page asks for a click, as it does in any other browser.
  }
}

/** Whether a link was asked for here in the last 15 minutes. Forgets it: one request, one automatic sign-in. */
export function takeLinkAsked(): boolean {
  try {
    const asked = Number(localStorage.getItem(key))
    localStorage.removeItem(key)
    return asked > 0 && Date.now() - asked < freshMs
  } catch {
    return false
  }
}
