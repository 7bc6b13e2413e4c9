/**
 * Called when a call finds the session ended. The signed-in layout registers a handler (a dialog over unsaved input, else the sign-in
 * page); the client waits for it.
 */
type Recovery = () => Promise<boolean>

let recovery: Recovery = async () => false
let underWay: Promise<boolean> | null = null

/** @returns a function that removes the handler */
export function onSessionOver(answer: Recovery) {
  recovery = answer
  return () => {
    recovery = async () => false
  }
}

/**
 * Runs a request that ends the session. Calls that fail meanwhile because the session has ended wait, so that they do not redirect; if the
 * request fails, they continue.
 */
export async function endingSession<T>(request: () => Promise<T>): Promise<T> {
  const before = recovery
  let goOn = () => {}
  const failed = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const waiting = () => failed.then(() => recovery())
  recovery = waiting
  try {
    return await request()
  } catch (thrown) {
    // The page may have registered another handler, or none.
    if (recovery === waiting) recovery = before
    goOn()
    throw thrown
  }
}

/** Leaves for another document. Calls that fail meanwhile because the session has ended stay pending, so that they do not redirect. */
export function leaveDocument(href: string): void {
  recovery = () => new Promise(() => {})
  location.replace(href)
}

/** Calls the handler once for all calls that fail together. @returns true if the user signed in again */
export function signedInAgain(): Promise<boolean> {
  underWay ??= recovery().finally(() => {
    underWay = null
  })
  return underWay
}
