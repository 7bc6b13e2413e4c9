import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  authorize,
  codeFor,
  exchangeCode,
  expectOAuthError,
  locationOf,
  pkce,
  registerApp,
  signInBrowser,
  type TestApp,
  uidOf,
} from '../../../../test/doubles/relying-party.js'
import { registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { SERVER_URL } from '../../../../test/harness/test-database.js'
import { duringRevocation } from '../../../../test/harness/while-ending.js'

const SCOPE = 'openid offline_access'

describe.skipIf(!SERVER_URL)('a session that is revoked while its request waits for the lock of the account', () => {
  let service: TestService
  let user: TestUser
  let app: TestApp
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    user = await registerUser(service)
    app = await registerApp(service, user)
  })

  const proof = pkce()
  const params = { scope: SCOPE, code_challenge: proof.challenge, code_challenge_method: 'S256' }
  const grants = () =>
    service.sql("SELECT id FROM sessions WHERE user_id = $1 AND kind = 'grant' AND ended_at IS NULL", [user.id])
  async function expectNoCode(callback: URL | undefined): Promise<void> {
    const code = callback?.searchParams.get('code')
    if (code) expectOAuthError(await exchangeCode(service, app, { code, verifier: proof.verifier }), 'invalid_grant')
  }

  it('receives no code by a consent', async () => {
    const uid = uidOf(await authorize(service, app, params))
    const { body, status } = await duringRevocation(service, user, () =>
      service.api('POST', `${app.idp}/interaction/${uid}/confirm`, { token: user.token, body: { consent: true } }),
    )
    await expectNoCode(status === 200 ? new URL(body.redirectTo) : undefined)
    expect(await grants()).toEqual([])
  })

  it('receives no code in a browser with an earlier consent', async () => {
    await codeFor(service, app, user, params)
    const before = await grants()
    const { token, cookies } = await signInBrowser(service, user)
    const answer = await duringRevocation(service, { id: user.id, token }, () =>
      authorize(service, app, params, cookies),
    )
    await expectNoCode(locationOf(answer))
    expect(await grants()).toEqual(before)
  })
})
