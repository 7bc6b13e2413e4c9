import type { Application } from '../../../api/contract'
import { issuerOf } from '../../../api/issuer'
import { applicationWords as words } from '../../../words'
import { isForPeople } from '../application-kind'

/** The addresses of an application's identity provider, as its discovery document names them. */
export function endpoints(application: Application, origin: string) {
  const issuer = issuerOf(application, origin)
  const forPeople = [
    { name: words.authorize, url: `${issuer}/authorize` },
    { name: words.userinfo, url: `${issuer}/userinfo` },
    { name: words.endSession, url: `${issuer}/end-session` },
  ]
  return [
    { name: words.discovery, url: `${issuer}/.well-known/openid-configuration` },
    { name: words.token, url: `${issuer}/token` },
    { name: words.jwks, url: `${issuer}/jwks` },
    ...(isForPeople(application) ? forPeople : []),
    { name: words.introspection, url: `${origin}/api/v1/oauth/introspect` },
    { name: words.revocation, url: `${origin}/api/v1/oauth/revoke` },
  ]
}
