import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { at, cannotRun, newPage, service, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { heading, newAddress, signIn } from './people'
import { createApplication, registerProgram } from './programs'

useBrowser()
const id = (n: number) => `00000000-0000-7000-8000-00000000000${n}`
const now = new Date().toISOString()
const scopes = ['openid', 'profile', 'email', 'offline_access'].map((name, i) => ({
  id: id(i),
  name,
  description: null,
  isDefault: i < 2,
  createdAt: now,
}))
const empty = {
  id: id(1),
  applicationId: id(1),
  scopes,
  claims: [],
  regexRules: [],
  signingKeys: [],
  createdAt: now,
  updatedAt: now,
  tokenPolicy: {
    accessTokenLifetime: 3600,
    idTokenLifetime: 3600,
    refreshTokenLifetime: 2592000,
    rotationEnabled: true,
    reuseInterval: 30,
    updatedAt: now,
  },
}
const full = {
  ...empty,
  scopes: [
    ...scopes,
    { id: id(7), name: 'orders:read', description: 'See your orders', isDefault: false, createdAt: now },
  ],
  regexRules: [
    { id: id(5), name: 'Part before the @', pattern: '^([^@]+)@.*$', replacement: '$1', flags: '', createdAt: now },
  ],
  claims: [
    {
      id: id(6),
      name: 'login',
      userAttribute: 'email',
      regexRuleId: id(5),
      targetTokens: ['ID_TOKEN', 'ACCESS_TOKEN'],
      createdAt: now,
    },
    {
      id: id(8),
      name: 'https://example.com/department',
      userAttribute: 'department',
      regexRuleId: null,
      targetTokens: ['ACCESS_TOKEN'],
      createdAt: now,
    },
  ],
  signingKeys: [
    {
      id: id(2),
      kid: 'es-2026-11',
      algorithm: 'ES256',
      isDefault: true,
      useForAccessTokens: false,
      createdAt: now,
      hasCertificate: false,
    },
    {
      id: id(3),
      kid: 'a-rather-long-key-id-that-never-ends',
      algorithm: 'RS256',
      isDefault: false,
      useForAccessTokens: false,
      createdAt: now,
      retiredAt: now,
      publishedUntil: new Date(Date.now() + 8e7).toISOString(),
      hasCertificate: false,
    },
  ],
  tokenPolicy: { ...empty.tokenPolicy, accessTokenLifetime: 90000 },
}
const entry = (name: string, value: unknown, source = 'protocol', more = {}) => ({
  name,
  value,
  source,
  rule: null,
  ...more,
})
const preview = {
  idToken: [
    entry('iss', 'https://id.example/api/v1/sso/oidc-idp/x/y'),
    entry('sub', id(1)),
    entry('email', 'anna@example.com', 'scope'),
    entry('login', 'anna', 'claim', { rule: { id: id(5), name: 'Part before the @' }, before: 'anna@example.com' }),
  ],
  accessToken: [entry('sub', id(1))],
  userinfo: [],
}

async function stub(page: Page, config: object, app: object = {}) {
  await page.route('**/oidc-config**', (r) => r.fulfill({ json: config }))
  await page.route('**/oidc-config/claims/attributes', (r) =>
    r.fulfill({ json: { data: [{ name: 'email', description: 'Email address', type: 'string' }] } }),
  )
  await page.route('**/oidc-config/preview', (r) => r.fulfill({ json: preview }))
  await page.route('**/regex-rules/test', (r) =>
    r.request().postData()?.includes('((')
      ? r.fulfill({
          status: 400,
          contentType: 'application/problem+json',
          body: JSON.stringify({
            status: 400,
            code: 'invalid_request',
            errors: [{ path: '/pattern', message: 'missing closing ) at character 2' }],
          }),
        })
      : r.fulfill({ json: { matched: true, result: 'anna' } }),
  )
  await page.route('**/api/v1/applications/*', async (r) => {
    const a = await r.fetch()
    await r.fulfill({ response: a, json: { ...(await a.json()), ...app } })
  })
  await page.route('**/api/v1/auth/applications', (r) =>
    r.fulfill({
      json: {
        data: [
          {
            id: id(1),
            name: 'Shop',
            type: 'OIDC',
            launchUrl: 'https://shop.example',
            team: { id: id(1), name: 'Acme' },
            isAiAgent: false,
          },
          { id: id(2), name: 'Robot', type: 'OIDC', team: { id: id(1), name: 'Acme' }, isAiAgent: true },
        ],
      },
    }),
  )
  await page.route('**/api/v1/auth/grants', (r) =>
    r.fulfill({
      json: {
        data: [
          {
            id: id(1),
            application: { id: id(1), name: 'Shop', isAiAgent: true },
            team: { id: id(1), name: 'Acme' },
            scopes: ['openid', 'email', 'offline_access', 'orders:read'],
            createdAt: now,
            updatedAt: now,
            lastUsedAt: now,
            offlineAccess: true,
          },
        ],
      },
    }),
  )
}

describe.skipIf(cannotRun)('scratch', () => {
  it('tokens', { timeout: 240_000 }, async () => {
    const email = newAddress()
    const owner = await registerProgram(email)
    const { id: app, issuer } = await createApplication(owner, 'Robot', { isAiAgent: true })
    const page = await newPage({ reducedMotion: 'reduce' })
    await signIn(page, email)
    const base = at(`/t/${owner.slug}/applications/${app}`)
    const only = process.env.ONLY
    const shot = async (name: string) => {
      if (!only || name.includes(only)) await checkEveryView(page, name)
    }
    await stub(page, empty)
    await page.goto(`${base}/tokens`)
    await page.getByRole('heading', { name: 'Lifetimes' }).waitFor()
    await shot('tokens-empty')
    await page.getByRole('button', { name: 'Add scope' }).click()
    await page.getByRole('dialog').waitFor()
    await shot('tokens-scope')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Add claim' }).click()
    await page.getByRole('dialog').getByRole('combobox').first().waitFor()
    await shot('tokens-claim')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Add rule' }).click()
    await page.getByRole('textbox', { name: 'Pattern' }).fill('(')
    await page.getByText('Becomes').waitFor()
    await page.getByRole('textbox', { name: 'Pattern' }).fill('a((')
    await page.getByText('At character').waitFor()
    await shot('tokens-rule')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Make a key' }).click()
    await page.getByRole('dialog').waitFor()
    await shot('tokens-key')
    await page.unrouteAll()
    await stub(page, full, { stoppedAt: now, previousSecretExpiresAt: new Date(Date.now() + 3.6e6).toISOString() })
    await page.goto(`${base}/tokens`)
    await page.getByText('made it of').waitFor()
    await shot('tokens-full')
    await page.getByRole('button', { name: 'Remove es-2026' }).click()
    await page.getByRole('dialog').waitFor()
    await page.getByRole('checkbox', { name: 'It leaked' }).check()
    await shot('tokens-key-remove')
    await page.goto(`${base}`)
    await page.getByText('This is an AI agent').waitFor()
    await shot('agent-start')
    await page.goto(`${base}/credentials`)
    await page.getByText('Two secrets').waitFor()
    await page.getByRole('button', { name: 'Make a new secret' }).click()
    await page.getByText('one hour').click()
    await shot('credentials')
    await page.goto(`${base}/settings`)
    await page.getByText('Demand DPoP').waitFor()
    await shot('settings')
    await page.goto(at('/account/apps'))
    await page.getByText('4 permissions').click()
    await shot('apps')
    await page.getByRole('button', { name: /^Remove access/ }).click()
    await page.getByRole('dialog').waitFor()
    await shot('apps-remove')
    await page.route('**/device/verify', (r) => r.fulfill({ json: { uid: 'u', idp: issuer } }))
    await page.route('**/interaction/u', (r) =>
      r.fulfill({
        json: {
          uid: 'u',
          application: { id: app, name: 'Television', description: null, logoUrl: null },
          team: { id: app, name: 'Acme' },
          scopes: ['openid', 'orders:read'],
          newScopes: ['openid', 'orders:read'],
          scopeDetails: [{ name: 'orders:read', description: 'See your orders' }],
          redirectUri: '',
          consentRequired: true,
          loginRequired: false,
          secondFactorRequired: false,
          isAiAgent: true,
          device: { ipAddress: '203.0.113.7', country: 'AT', userAgent: 'tv/1.0', requestedAt: now },
        },
      }),
    )
    await page.goto(at('/device?user_code=bcdfghjk'))
    await heading(page, 'Connect a device').waitFor()
    await shot('device-code')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Does your device show this code?').waitFor()
    await shot('device-approve')
    await page.goto(at('/device?result=approved'))
    await heading(page, 'Device connected').waitFor()
    await shot('device-done')
    expect(service.url).toBeTruthy()
  })
})
