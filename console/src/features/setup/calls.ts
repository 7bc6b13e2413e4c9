import { answerOf, visitor } from '../../api/client'

/** Appoints the first administrator and mails a sign-in link. @param setupSecret empty if the service requires none */
export function onboard(adminEmail: string, setupSecret: string) {
  const headers = setupSecret ? { 'x-setup-secret': setupSecret } : {}
  return answerOf(visitor.POST('/api/v1/onboard', { body: { adminEmail }, headers }))
}

/** Appoints the first administrator with the link that the start of the service printed, and signs in. */
export function setUpWithLink(body: { token: string; adminEmail: string; teamName: string }) {
  return answerOf(visitor.POST('/api/v1/onboard/setup-link', { body }))
}
