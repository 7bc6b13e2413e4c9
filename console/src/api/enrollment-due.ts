/**
 * Called when the service requires a second factor before all other calls. The router registers the page where it is set up; the client
 * only reports it.
 */
let lead = () => {}

export function onEnrollmentDue(go: () => void) {
  lead = go
}

export function enrollmentDue() {
  lead()
}
