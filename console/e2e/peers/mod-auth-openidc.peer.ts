import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { at, cannotRun, newSeparateVisitor, service, useBrowser } from '../browser'
import { mailedLink } from '../mails'
import { consentTo, fillSignIn, heading, newAddress, signedIn, signIn, signOut } from '../people'
import { createApplication, type Program, registerProgram } from '../programs'
import type { Client } from '../relying-party'
import { freePort } from '../service'
import { type Apache, startApache } from './apache'
import { type Echo, headersShown, startEcho } from './echo'
import { fromGuide } from './guide'

useBrowser()

const certificate = inject('certificate')
const trusting = { ignoreHTTPSErrors: true }

describe.skipIf(cannotRun)('a site behind Apache with mod_auth_openidc', () => {
  const email = newAddress('owner')
  let owner: Program
  let client: Client
  let echo: Echo
  let apache: Apache
  let site: string

  beforeAll(async () => {
    if (!certificate) return
    echo = await startEcho()
    const port = await freePort()
    site = `https://127.0.0.1:${port}`
    owner = await registerProgram(email)
    await owner.patch('/auth/me', { firstName: 'Zoë', lastName: 'Ångström' })
    client = await createApplication(owner, 'Intranet', {
      redirectUris: [`${site}/oidc/callback`],
      postLogoutRedirectUris: [`${site}/signed-out`],
      backchannelLogoutUri: `${site}/oidc/callback?logout=backchannel`,
    })
    const config = fromGuide('apache-openid-connect.md', 'apache', 0, {
      ISSUER: client.issuer,
      CLIENT_ID: client.clientId,
      CLIENT_SECRET: client.clientSecret,
      PASSPHRASE: randomBytes(32).toString('hex'),
      'https://intranet.example': site,
      'http://127.0.0.1:8000': echo.url,
    })
    apache = await startApache({
      port,
      tls: certificate,
      modules: ['auth_openidc'],
      config: `OIDCCABundlePath ${certificate.certificate}\n${config}`,
    })
  })
  afterAll(async () => {
    await apache?.stop()
    await echo?.stop()
  })

  /** Allows the request of the site, unless it was allowed before. */
  async function allow(page: Page) {
    await consentTo(page, 'Intranet').waitFor()
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
  }

  // The first test: the others need a user whose email address is verified.
  it('denies access until the email address of the user is verified', async () => {
    const page = await (await newSeparateVisitor(trusting)).newPage()
    const asked = page.waitForResponse((answer) => answer.url() === `${site}/reports?of=May` && answer.status() === 401)
    await page.goto(`${site}/reports?of=May`)
    await heading(page, 'Sign in to Intranet').waitFor()
    await fillSignIn(page, email)
    await allow(page)
    await asked

    const proven = await (await newSeparateVisitor(trusting)).newPage()
    await signIn(proven, email)
    await proven.goto(await mailedLink(service.outbox, email, '/verify-email'))
    await proven.getByRole('button', { name: 'Verify email' }).click()
    await heading(proven, 'Email verified').waitFor()
    await proven.goto(`${site}/reports?of=May`)
    // The verification revoked what another session had allowed before.
    await allow(proven)
    expect(await headersShown(proven)).toMatchObject({ 'x-remote-user': email })
    expect(proven.url()).toBe(`${site}/reports?of=May`)
  })

  it('passes the user to the program behind it, and no header of a browser', async () => {
    const visitor = await newSeparateVisitor({
      ...trusting,
      extraHTTPHeaders: { 'X-Remote-User': 'somebody@else.example', OIDC_CLAIM_email: 'somebody@else.example' },
    })
    const page = await visitor.newPage()
    await page.goto(`${site}/`)
    await fillSignIn(page, email)
    const headers = await headersShown(page)
    expect(headers).toMatchObject({
      'x-remote-user': email,
      oidc_claim_email: email,
      oidc_claim_email_verified: '1',
      oidc_claim_given_name: 'Zoë',
      oidc_claim_family_name: 'Ångström',
      oidc_claim_iss: client.issuer,
      oidc_claim_aud: client.clientId,
    })
    expect(headers.oidc_claim_sub).toMatch(/^[0-9a-f-]{36}$/)
    expect(JSON.stringify(headers)).not.toContain('else.example')
  })

  it('renews its tokens', async () => {
    const page = await (await newSeparateVisitor(trusting)).newPage()
    await page.goto(`${site}/`)
    await fillSignIn(page, email)
    const before = (await headersShown(page)).oidc_access_token as string
    await page.goto(`${site}/oidc/callback?${new URLSearchParams({ refresh: `${site}/back`, access_token: before })}`)
    const after = (await headersShown(page)).oidc_access_token
    expect(page.url()).toBe(`${site}/back`)
    expect(after).toBeTruthy()
    expect(after).not.toBe(before)
  })

  it('signs out at Keyward', async () => {
    const page = await (await newSeparateVisitor(trusting)).newPage()
    await page.goto(`${site}/`)
    await fillSignIn(page, email)
    await headersShown(page)
    await page.goto(`${site}/oidc/callback?${new URLSearchParams({ logout: `${site}/signed-out` })}`)
    await page.waitForURL(`${site}/signed-out**`)
    await page.goto(at('/account'))
    await heading(page, 'Sign in').waitFor()
    await page.goto(`${site}/`)
    await heading(page, 'Sign in to Intranet').waitFor()
  })

  it('ends its session when the user signs out at Keyward', async () => {
    const page = await (await newSeparateVisitor(trusting)).newPage()
    await signIn(page, email)
    await page.goto(`${site}/`)
    await headersShown(page)
    await page.goto(at('/account'))
    await signedIn(page)
    await signOut(page)
    // The logout token may arrive after the page reports the sign-out.
    await expect
      .poll(
        async () => {
          await page.goto(`${site}/`)
          return new URL(page.url()).origin
        },
        { timeout: 20_000 },
      )
      .toBe(service.url)
    await heading(page, 'Sign in to Intranet').waitFor()
  })
})
