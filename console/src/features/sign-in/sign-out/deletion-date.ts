const KEY = 'keyward.deletion'

/** Stores the date of the deletion for the sign-out page of this tab. */
export function rememberDeletion(at: string): void {
  try {
    sessionStorage.setItem(KEY, at)
  } catch {
    // Without storage, only the mail states the date.
  }
}

/** Returns the stored date once. */
export function takeDeletion(): string | null {
  try {
    const at = sessionStorage.getItem(KEY)
    sessionStorage.removeItem(KEY)
    return at !== null && Number.isFinite(Date.parse(at)) ? at : null
  } catch {
    return null
  }
}
