const CANCELLED = 'keyward.deletion-cancelled'

/** Stores for the console, which is another document, that the sign-in cancelled the deletion of the account. */
export function rememberCancelledDeletion(view: { deletionCancelled?: boolean | undefined } | null): void {
  if (!view?.deletionCancelled) return
  try {
    sessionStorage.setItem(CANCELLED, 'true')
  } catch {
    // Without storage, only the mail states it.
  }
}

/** Returns once whether the sign-in cancelled a deletion. */
export function takeCancelledDeletion(): boolean {
  try {
    const isCancelled = sessionStorage.getItem(CANCELLED) !== null
    sessionStorage.removeItem(CANCELLED)
    return isCancelled
  } catch {
    return false
  }
}
