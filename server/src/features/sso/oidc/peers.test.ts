import { afterAll, describe, expect, it } from 'vitest'
import { confirm, registerApp, uidOf } from '../../../../test/doubles/relying-party.js'
import { expectSession, newEmail, registerUser, verifyEmailAddress } from '../../../../test/factories/factories.js'
import {
  addProvider,
  beginSignIn,
  changeProvider,
  fetchMe,
  oidcProvider,
  resultOf,
  returnFromProvider,
} from '../../../../test/factories/sso.js'
import { startFaultProxy } from '../../../../test/harness/fault-proxy.js'
import { startService } from '../../../../test/harness/service.js'
import { startOidcPeer } from '../../../../test/peers/oidc-peer.js'

const service = await startService()
afterAll(() => service.close())
const owner = await registerUser(service)

describe('interoperability with a third-party OpenID provider', () => {
  it('signs a user in with the profile from userinfo and an elliptic curve signature', async () => {
    const email = newEmail()
    const newClaims = { sub: 'person', email, email_verified: true, given_name: 'Ada', family_name: 'Lovelace' }
    const peer = await startOidcPeer(newClaims)
    try {
      const { id, callbackUrl } = await addProvider(service, owner, oidcProvider(peer, { autoProvision: true }))
      peer.allow(callbackUrl)
      const { location, cookies } = await beginSignIn(service, id)
      const callback = await peer.authorize(location)
      expect(callback.searchParams.get('iss')).toBe(peer.issuer)
      const { token } = resultOf(await returnFromProvider(service, callback, cookies))
      const { user, team } = await fetchMe(service, token)
      expect([user.email, user.firstName, user.lastName, team.id]).toEqual([email, 'Ada', 'Lovelace', owner.teamId])
    } finally {
      await peer.close()
    }
  })
})

describe('interoperability with another instance of this service', () => {
  it('signs users in, and ends their sessions after a sign-out there', async () => {
    // Its URL must be known before it starts.
    const target = { host: 'localhost', port: 0 }
    const proxy = await startFaultProxy(target)
    const other = await startService({ env: { BASE_URL: `http://127.0.0.1:${proxy.port}` }, nodes: 1 })
    target.port = Number(new URL(other.urls[0] ?? '').port)
    try {
      const user = await registerUser(other)
      await verifyEmailAddress(other, user)
      const { id } = await addProvider(service, owner, {
        ...oidcProvider({ issuer: 'https://later.example', clientId: 'later', clientSecret: 'later' }),
        autoProvision: true,
      })
      const app = await registerApp(other, user, {
        redirectUris: [`${service.baseUrl}/api/v1/sso/oidc/${id}/callback`],
        backchannelLogoutUri: `${service.urls[0]}/api/v1/sso/oidc/${id}/backchannel-logout`,
      })
      await changeProvider(service, owner, id, {
        oidcIssuer: app.issuer,
        oidcClientId: app.clientId,
        oidcClientSecret: app.secret,
      })
      const { location, cookies } = await beginSignIn(service, id)
      const begun = await other.api('GET', location.href.slice(other.baseUrl.length), {
        headers: { accept: 'text/html' },
      })
      const callback = await confirm(other, app, uidOf(begun), user)
      const { token = '' } = resultOf(await returnFromProvider(service, callback, cookies))
      const { user: signedIn, team } = await fetchMe(service, token)
      expect([signedIn.email, team.id]).toEqual([user.email, owner.teamId])
      expect((await other.api('POST', '/api/v1/auth/logout', { token: user.token })).status).toBe(200)
      await other.settle()
      await expectSession(service, token, 'revoked')
    } finally {
      await other.close()
      await proxy.close()
    }
  })
})
