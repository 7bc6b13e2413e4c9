import type { Application } from '../../../api/contract'
import { issuerOf } from '../../../api/issuer'
import m from '../../../messages/en/applications.json'
import { isForPeople } from '../application-kind'

/** Returns the endpoints of an application, named as in its discovery document. */
export function endpoints(application: Application, origin: string) {
  const issuer = issuerOf(application, origin)
  const ofUsers = [
    { name: m.endpoint({ name: 'authorize' }), url: `${issuer}/authorize` },
    { name: m.endpoint({ name: 'userinfo' }), url: `${issuer}/userinfo` },
    { name: m.endpoint({ name: 'endSession' }), url: `${issuer}/end-session` },
  ]
  return [
    { name: m.endpoint({ name: 'discovery' }), url: `${issuer}/.well-known/openid-configuration` },
    { name: m.endpoint({ name: 'token' }), url: `${issuer}/token` },
    { name: m.endpoint({ name: 'jwks' }), url: `${issuer}/jwks` },
    ...(isForPeople(application) ? ofUsers : []),
    { name: m.endpoint({ name: 'introspection' }), url: `${origin}/api/v1/oauth/introspect` },
    { name: m.endpoint({ name: 'revocation' }), url: `${origin}/api/v1/oauth/revoke` },
  ]
}
