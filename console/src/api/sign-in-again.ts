/**
 * What to do when a call finds the session over. The shell of the signed-in pages registers an answer (a dialog over a form
 * with unsaved changes, else the sign-in page); the client only waits for it.
 */
type Recovery = () => Promise<boolean>

let recovery: Recovery = async () => false
let underWay: Promise<boolean> | null = null

/** @returns how to take it back */
export function onSessionOver(answer: Recovery) {
  recovery = answer
  return () => {
    recovery = async () => false
  }
}

/** Leaves for another document. Calls that find the session over meanwhile stay pending, so that they do not lead elsewhere. */
export function leaveDocument(href: string): void {
  recovery = () => new Promise(() => {})
  location.replace(href)
}

/** Asks once, however many calls fail at the same moment. @returns whether somebody signed in again */
export function signedInAgain(): Promise<boolean> {
  underWay ??= recovery().finally(() => {
    underWay = null
  })
  return underWay
}
