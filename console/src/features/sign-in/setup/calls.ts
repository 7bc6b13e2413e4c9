import { answerOf, visitor } from '../../../api/client'

/** Creates the first administrator and mails a sign-in link. @param setupSecret empty if the service requires none */
export function onboard(adminEmail: string, setupSecret: string) {
  const headers = setupSecret ? { 'x-setup-secret': setupSecret } : {}
  return answerOf(visitor.POST('/api/v1/onboard', { body: { adminEmail }, headers }))
}

/** Creates the first administrator with the setup link in the terminal, and signs in. */
export function setUpWithLink(body: { token: string; adminEmail: string; teamName: string }) {
  return answerOf(visitor.POST('/api/v1/onboard/setup-link', { body }))
}
