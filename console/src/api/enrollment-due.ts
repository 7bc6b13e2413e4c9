/**
 * What to do when the service answers nothing until a second factor is set up. The router registers the way to the page
 * where that is done; the client only reports it.
 */
let lead = () => {}

export function onEnrollmentDue(go: () => void) {
  lead = go
}

export function enrollmentDue() {
  lead()
}
