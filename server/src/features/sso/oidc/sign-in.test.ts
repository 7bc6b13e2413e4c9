import { sign } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { startScriptedProvider } from '../../../../test/doubles/scripted-provider.js'
import { createTlsAuthority } from '../../../../test/doubles/tls-authority.js'
import {
  addColleague,
  atOnce,
  CONCURRENT,
  expectSession,
  logIn,
  makePolicy,
  newEmail,
  registerUser,
} from '../../../../test/factories/factories.js'
import { enrollApp } from '../../../../test/factories/factors.js'
import {
  addProvider,
  beginSignIn,
  changeProvider,
  fetchMe,
  oidcProvider,
  resultOf,
  returnFromProvider,
  signInBy,
} from '../../../../test/factories/sso.js'
import { nextRsaKeyPair } from '../../../../test/harness/rsa-keys.mjs'
import { startService } from '../../../../test/harness/service.js'

const service = await startService()
const provider = await startScriptedProvider()
afterAll(async () => {
  await service.close()
  await provider.close()
})
const { api } = service
const owner = await registerUser(service)
const { id } = await addProvider(service, owner, oidcProvider(provider, { autoProvision: true }))
beforeEach(() => {
  provider.script = {}
})

const newClaims = (claims: Record<string, unknown> = {}) => {
  const email = newEmail('person')
  return { sub: `sub-${email}`, email, email_verified: true, given_name: 'Ada', family_name: 'Lovelace', ...claims }
}

describe('/api/v1/sso/oidc/{providerId}', () => {
  it('redirects to the provider with PKCE, state and nonce, and its own redirect URI', async () => {
    const { location } = await beginSignIn(service, id, { loginHint: 'ada@example.com' })
    expect(location.href.split('?')[0]).toBe(`${provider.issuer}/authorize`)
    expect(Object.fromEntries(location.searchParams)).toEqual({
      fixed: '1',
      response_type: 'code',
      client_id: provider.clientId,
      redirect_uri: `${service.baseUrl}/api/v1/sso/oidc/${id}/callback`,
      scope: 'openid profile email',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      login_hint: 'ada@example.com',
    })
  })

  it('trusts a private CA of the provider for discovery, keys, tokens and userinfo', async () => {
    const authority = createTlsAuthority()
    const secure = await startScriptedProvider(authority.issue('localhost'))
    const { certificate: caCertificate } = authority
    authority.close()
    try {
      const { id, ...made } = await addProvider(service, owner, oidcProvider(secure, { autoProvision: true }))
      expect(made.caCertificate).toBe(undefined)
      const test = async () => (await api('POST', `/api/v1/sso/providers/${id}/test`, { token: owner.token })).body
      const untrusted = (await test()).checks.find((check: { id: string }) => check.id === 'discovery')
      expect(untrusted).toMatchObject({ status: 'failed', fix: expect.stringContaining('caCertificate') })

      const { clientSecret: oidcClientSecret } = secure
      const changed = await changeProvider(service, owner, id, { caCertificate, oidcClientSecret })
      expect(changed.caCertificate).toBe(caCertificate)
      expect(await test()).toMatchObject({ success: true })
      secure.script.userinfo = { given_name: 'Ada', family_name: 'Lovelace' }
      const { token } = await signInBy(
        service,
        id,
        secure,
        newClaims({ given_name: undefined, family_name: undefined }),
      )
      expect((await fetchMe(service, token)).user).toMatchObject({ firstName: 'Ada' })
      expect(new Set(secure.asked)).toEqual(new Set(['discovery', 'keys', 'token', 'userinfo']))

      await changeProvider(service, owner, id, { caCertificate: null, oidcClientSecret })
      expect(await test()).toMatchObject({ success: false })
    } finally {
      await secure.close()
    }
  })

  it('ends at the callback page with an access token and session cookies, without caching', async () => {
    const { location, cookies } = await beginSignIn(service, id, { returnTo: '/account?tab=apps' })
    const answer = await returnFromProvider(service, provider.authorize(location, newClaims()), cookies)
    const { token, ...rest } = resultOf(answer)
    expect(rest).toEqual({ returnTo: '/account?tab=apps' })
    expect((await fetchMe(service, token)).team.id).toBe(owner.teamId)
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.cookies.keyward_rt?.attributes).toMatch(/SameSite=Strict/)
    expect(answer.cookies.keyward_sso?.attributes).toMatch(/SameSite=Lax/)
    const refreshed = await api('POST', '/api/v1/auth/refresh', {
      console: true,
      cookies: { keyward_rt: answer.cookies.keyward_rt?.value ?? '' },
      body: {},
    })
    expect(refreshed.status).toBe(200)
    await service.settle()
    expect(service.logLines.join()).not.toContain(token)
    expect(service.logLines.join()).not.toContain(location.searchParams.get('state'))
  })

  it.each([
    '//evil.example',
    '/.//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    'account',
    '/a\\b',
    '',
  ])('rejects %j as a path to return to', async (returnTo) => {
    const { status, body } = await api('GET', `/api/v1/sso/oidc/${id}/login?${new URLSearchParams({ returnTo })}`)
    expect([status, body.code]).toEqual([400, 'invalid_request'])
  })

  it('recognizes the user by the subject after the email address has changed', async () => {
    const claims = newClaims()
    const first = await fetchMe(service, (await signInBy(service, id, provider, claims)).token)
    const again = { ...claims, email: newEmail('renamed'), email_verified: false }
    const second = await fetchMe(service, (await signInBy(service, id, provider, again)).token)
    expect(second.user.id).toBe(first.user.id)
    expect(second.user.email).toBe(claims.email)
    const other = await signInBy(service, id, provider, newClaims({ sub: claims.sub.toUpperCase() }))
    expect((await fetchMe(service, other.token)).user.id).not.toBe(first.user.id)
  })

  it('restricts the session to the team of the provider', async () => {
    const claims = newClaims()
    const { token } = await signInBy(service, id, provider, claims)
    expect((await fetchMe(service, token)).session).toMatchObject({ method: 'sso', confined: true })
    const made = await api('POST', '/api/v1/organizations', { token, body: { name: 'Own' } })
    expect([made.status, made.body.code]).toEqual([403, 'team_sign_in_required'])
  })

  it('reads userinfo if the ID token lacks claims', async () => {
    const email = newEmail('elsewhere')
    provider.script.userinfo = { email, email_verified: true, given_name: 'Grace', family_name: 'Hopper' }
    const { user } = await fetchMe(service, (await signInBy(service, id, provider, { sub: email })).token)
    expect(user).toMatchObject({ email, firstName: 'Grace', lastName: 'Hopper' })
    provider.asked.length = 0
    await signInBy(service, id, provider, newClaims())
    expect(provider.asked).not.toContain('userinfo')
  })

  it('accepts a new key of the provider', async () => {
    await signInBy(service, id, provider, newClaims())
    provider.rotate()
    await service.clock.advance(61_000)
    expect(await signInBy(service, id, provider, newClaims())).toHaveProperty('token')
  })

  it('reads the keys again once if a signature fails, and at most once a minute', async () => {
    const askedKeys = () => provider.asked.filter((path) => path === 'keys').length
    await signInBy(service, id, provider, newClaims())
    provider.rotate(true)
    await service.clock.advance(61_000)
    provider.asked.length = 0
    // A token that no key can verify causes no request.
    provider.script = { header: { alg: 'none' }, signature: () => 'AA' }
    expect(await signInBy(service, id, provider, newClaims())).toMatchObject({ error: 'sso_token_invalid' })
    expect(askedKeys()).toBe(0)
    provider.script = {}
    expect(await signInBy(service, id, provider, newClaims())).toHaveProperty('token')
    expect(askedKeys()).toBe(1)

    const outsider = nextRsaKeyPair()
    const signature = (input: string) => sign('sha256', Buffer.from(input), outsider.privateKey).toString('base64url')
    for (const script of [{ signature }, { signature, header: { kid: 'other' } }, { signature }]) {
      provider.script = script
      expect(await signInBy(service, id, provider, newClaims())).toMatchObject({ error: 'sso_token_invalid' })
    }
    expect(askedKeys()).toBe(1)
    provider.script = {}
  })

  it('rejects a callback without a code or a state', async () => {
    provider.asked.length = 0
    for (const query of ['', '?code=x', '?state=x', '?code=&state=', '?state=a&state=b&code=c']) {
      const { status, body } = await api('GET', `/api/v1/sso/oidc/${id}/callback${query}`)
      expect([status, body.code], query).toEqual([400, 'invalid_request'])
    }
    expect(provider.asked).toEqual([])
  })

  it('reports a sign-in that the provider ended', async () => {
    const { location } = await beginSignIn(service, id, { returnTo: '/account' })
    const callback = provider.authorize(location, newClaims())
    callback.searchParams.delete('code')
    callback.searchParams.set('error', 'access_denied')
    const results = resultOf(await returnFromProvider(service, callback))
    expect(results).toEqual({ error: 'sso_access_denied', requestId: expect.any(String), returnTo: '/account' })
  })

  it('redeems a state exactly once across many concurrent callbacks', async () => {
    const { location } = await beginSignIn(service, id)
    const claims = newClaims()
    const callbacks = Array.from({ length: CONCURRENT }, () => provider.authorize(location, claims))
    const results = await atOnce(CONCURRENT, async (index) =>
      resultOf(await returnFromProvider(service, callbacks[index] as URL)),
    )
    expect(results.filter(({ token }) => token)).toHaveLength(1)
    expect(results.filter(({ error }) => error === 'sso_state_invalid')).toHaveLength(CONCURRENT - 1)
    const [row] = await service.sql(
      'SELECT count(*)::int AS n FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1',
      [claims.email],
    )
    expect(row?.n).toBe(1)
  })

  it('creates one account for many concurrent sign-ins of a new user', async () => {
    const claims = newClaims()
    // They wait for one account: with fifty, the last waits longer than a statement may on a slow machine.
    const begun = await atOnce(16, () => beginSignIn(service, id))
    const results = await atOnce(16, async (index) =>
      resultOf(await returnFromProvider(service, provider.authorize(begun[index]?.location as URL, claims))),
    )
    expect(results.filter(({ token }) => !token)).toEqual([])
    const users = await service.sql('SELECT id FROM users WHERE email = $1', [claims.email])
    expect(users).toHaveLength(1)
    expect(await service.sql('SELECT 1 FROM external_identities WHERE user_id = $1', [users[0]?.id])).toHaveLength(1)
    expect(await service.sql('SELECT 1 FROM memberships WHERE user_id = $1', [users[0]?.id])).toHaveLength(1)
  })

  it('expires after ten minutes', async () => {
    const { location } = await beginSignIn(service, id)
    const callback = provider.authorize(location, newClaims())
    await service.clock.advance(601_000)
    expect(resultOf(await returnFromProvider(service, callback)).error).toBe('sso_state_invalid')
  })

  it('binds a sign-in to its provider; the callback of another provider does not consume it', async () => {
    const other = await addProvider(service, owner, oidcProvider(provider, { autoProvision: true }))
    const { location } = await beginSignIn(service, id)
    const callback = provider.authorize(location, newClaims())
    const mixedUp = new URL(callback.href.replace(id, other.id))
    expect(resultOf(await returnFromProvider(service, mixedUp)).error).toBe('sso_state_invalid')
    expect(resultOf(await returnFromProvider(service, callback))).toHaveProperty('token')
  })

  it('binds a sign-in on https to the browser that started it', async () => {
    const { location, cookies } = await beginSignIn(service, id)
    const callback = provider.authorize(location, newClaims())
    const query = callback.href.slice(service.baseUrl.length)
    await service.restart({ BASE_URL: 'https://id.example.com', ALLOW_PRIVATE_NETWORK: 'true' })
    try {
      const back = async (own: Record<string, string>) => resultOf(await api('GET', query, { cookies: own })).error
      const token = cookies.keyward_sso_browser ?? ''
      expect(token).toMatch(/^[\w-]{43}$/)
      const others: Record<string, string>[] = [
        {},
        { keyward_sso_browser: token },
        { '__Host-keyward_sso_browser': `${token.startsWith('x') ? 'y' : 'x'}${token.slice(1)}` },
      ]
      for (const other of others) expect(await back(other)).toBe('sso_state_invalid')
      // Consumed now; and on https, a provider on http receives no request.
      expect(await back({ '__Host-keyward_sso_browser': token })).toBe('sso_provider_unreachable')
      expect(await back({ '__Host-keyward_sso_browser': token })).toBe('sso_state_invalid')
    } finally {
      await service.restart({ BASE_URL: 'http://localhost:3000' })
    }
  })

  it('rejects a sign-in if the provider was changed or disabled meanwhile', async () => {
    const made = await addProvider(service, owner, oidcProvider(provider, { autoProvision: true }))
    const begin = async () => provider.authorize((await beginSignIn(service, made.id)).location, newClaims())
    const [changed, disabled, deleted] = [await begin(), await begin(), await begin()]
    await changeProvider(service, owner, made.id, { name: 'Changed' })
    expect(resultOf(await returnFromProvider(service, changed)).error).toBe('sso_provider_changed')
    await changeProvider(service, owner, made.id, { enabled: false })
    expect(resultOf(await returnFromProvider(service, disabled)).error).toBe('sso_provider_disabled')
    expect(resultOf(await api('GET', `/api/v1/sso/oidc/${made.id}/login`)).error).toBe('sso_provider_disabled')
    await api('DELETE', `/api/v1/sso/providers/${made.id}`, { token: owner.token })
    expect(resultOf(await returnFromProvider(service, deleted)).error).toBe('sso_state_invalid')
    expect((await api('GET', `/api/v1/sso/oidc/${made.id}/login`)).status).toBe(404)
  })

  it('requires the second factor of the account', async () => {
    const member = await addColleague(service, owner)
    const { token } = await logIn(service, member)
    const app = await enrollApp(service, { token })
    const claims = newClaims({ email: member.email })
    const results = await signInBy(service, id, provider, claims)
    expect(results).toEqual({
      mfaToken: expect.any(String),
      mfaMethods: expect.stringContaining('TOTP'),
      mfaExpiresAt: expect.any(String),
    })
    const answered = await api('POST', '/api/v1/auth/mfa/verify-challenge', {
      body: { mfaToken: results.mfaToken, code: app.code() },
    })
    expect(answered.status, answered.text).toBe(200)
    expect((await fetchMe(service, answered.body.accessToken)).session).toMatchObject({ method: 'sso', confined: true })
    const noted = await service.sql('SELECT 1 FROM sso_sessions WHERE subject = $1', [claims.sub])
    expect(noted).toHaveLength(1)
  })

  it.each([
    [{ amr: ['pwd', 'mfa'] }, true],
    [{ acr: 'https://refeds.org/profile/mfa' }, true],
    [{ amr: ['pwd'] }, false],
    [{ amr: 'mfa' }, false],
    [{}, false],
  ])('trusts the second factor of the provider with %j: %s', async (said, enough) => {
    const trusted = await addProvider(service, owner, oidcProvider(provider, { trustsMfa: true }))
    const member = await addColleague(service, owner)
    await enrollApp(service, await logIn(service, member))
    const results = await signInBy(service, trusted.id, provider, newClaims({ email: member.email, ...said }))
    expect(results).toHaveProperty(enough ? 'token' : 'mfaToken')
    const untrusted = await signInBy(service, id, provider, newClaims({ email: member.email, ...said }))
    expect(untrusted).toHaveProperty('mfaToken')
  })

  it.each([
    [true, ['pwd', 'mfa'], false],
    [true, ['pwd'], true],
    [false, ['pwd', 'mfa'], true],
  ])(
    'requires enrollment, with trustsMfa %s and amr %j, by the policy of the team: %s',
    async (trustsMfa, amr, enrols) => {
      const other = await registerUser(service)
      await makePolicy(service, other, {
        type: 'MFA',
        resource: 'sign-in',
        actions: ['login'],
        rules: [{ requirement: 'MFA_REQUIRED' }],
      })
      const { id } = await addProvider(service, other, oidcProvider(provider, { trustsMfa, autoProvision: true }))
      const { token } = await signInBy(service, id, provider, newClaims({ amr }))
      const enrolment = async () => (await api('GET', '/api/v1/auth/applications', { token })).body.code
      expect(await enrolment()).toBe(enrols ? 'mfa_enrollment_required' : undefined)
      const terms = (required: boolean) =>
        service.sql(
          'UPDATE instance_settings SET mfa_required = $1, mfa_required_since = $2, mfa_grace_period_days = 0',
          [required, required ? service.clock.now() : null],
        )
      await terms(true)
      try {
        const { token: later } = await signInBy(service, id, provider, newClaims({ amr }))
        const { body } = await api('GET', '/api/v1/auth/applications', { token: later })
        expect(body.code).toBe('mfa_enrollment_required')
      } finally {
        await terms(false)
      }
    },
  )

  it('records an audit entry for each effect', async () => {
    const claims = newClaims()
    const { user } = await fetchMe(service, (await signInBy(service, id, provider, claims)).token)
    const { body } = await api('GET', `/api/v1/audit/logs?userId=${user.id}`, { token: owner.token })
    const actions = body.data.map(({ action }: { action: string }) => action).reverse()
    expect(actions).toEqual(['user.created', 'member.added', 'sso_identity.linked', 'user.updated', 'user.login'])
  })

  it('revokes the session with the membership', async () => {
    const { token } = await signInBy(service, id, provider, newClaims())
    const { user } = await fetchMe(service, token)
    const { status } = await api('PUT', `/api/v1/users/${user.id}`, {
      token: owner.token,
      body: { status: 'suspended' },
    })
    expect(status).toBe(200)
    await expectSession(service, token ?? '', 'revoked')
  })
})

describe('failed sign-ins from one source', () => {
  it('slows a source with failed sign-ins down, also after a successful one', async () => {
    await service.restart({ LIMIT_SOURCE_FAILURES: '5' })
    await service.sql('DELETE FROM throttle_counters')
    try {
      const forged = new URL(`${service.baseUrl}/api/v1/sso/oidc/${id}/callback?state=x&code=y`)
      const waiting = provider.authorize((await beginSignIn(service, id)).location, newClaims())
      for (let count = 0; count < 5; count++)
        expect(resultOf(await returnFromProvider(service, forged)).error).toBe('sso_state_invalid')
      const more = await atOnce(20, () => returnFromProvider(service, forged))
      expect(more.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
      await service.clock.advance(2_000)
      expect(resultOf(await returnFromProvider(service, waiting))).toHaveProperty('token')
      expect((await returnFromProvider(service, forged)).status).toBe(429)
    } finally {
      await service.restart({ LIMIT_SOURCE_FAILURES: '600' })
    }
  })
})
