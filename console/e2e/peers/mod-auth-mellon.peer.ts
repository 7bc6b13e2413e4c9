import { execFileSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { at, cannotRun, newSeparateVisitor, useBrowser } from '../browser'
import { fillSignIn, heading, newAddress, signIn, signOut } from '../people'
import { type Program, registerProgram } from '../programs'
import { freePort } from '../service'
import { type Apache, readableFolder, startApache } from './apache'
import { type Echo, headersShown, startEcho } from './echo'
import { fromGuide } from './guide'

useBrowser()

const certificate = inject('certificate')
const trusting = { ignoreHTTPSErrors: true }

describe.skipIf(cannotRun)('a site behind Apache with mod_auth_mellon', () => {
  const email = newAddress('owner')
  let owner: Program
  let folder: string
  let echo: Echo
  let apache: Apache
  let site: string
  let applicationId: string

  beforeAll(async () => {
    if (!certificate) return
    echo = await startEcho()
    folder = readableFolder('mellon')
    const port = await freePort()
    site = `https://127.0.0.1:${port}`
    owner = await registerProgram(email)
    await owner.patch('/auth/me', { firstName: 'Zoë', lastName: 'Ångström' })

    execFileSync('/usr/sbin/mellon_create_metadata', [`${site}/saml`, `${site}/mellon`], {
      cwd: folder,
      stdio: 'ignore',
    })
    const files = readdirSync(folder)
    for (const name of files) chmodSync(join(folder, name), 0o644)
    const metadata = files.find((name) => name.endsWith('.xml')) ?? ''
    const { warnings, certificateExpiresAt, requestedAttributes, ...registered } = await owner.post(
      '/applications/metadata/parse',
      { xml: readFileSync(join(folder, metadata), 'utf8') },
    )
    expect(registered).toMatchObject({
      samlSpEntityId: `${site}/saml`,
      samlSpAcsUrl: `${site}/mellon/postResponse`,
      samlSpSloUrl: `${site}/mellon/logout`,
    })
    const application = { ...registered, name: 'Intranet', type: 'SAML', samlEncryptAssertion: true }
    const { id } = await owner.post('/applications', application)
    applicationId = String(id)
    const ours = await fetch(at(`/api/v1/sso/saml-idp/${id}/metadata`))
    writeFileSync(join(folder, 'keyward.xml'), await ours.text())

    const config = fromGuide('apache-saml.md', 'apache', 0, {
      '/etc/apache2/mellon/https_intranet.example_saml': join(folder, metadata.slice(0, -'.xml'.length)),
      '/etc/apache2/mellon': folder,
      'http://127.0.0.1:8000': echo.url,
    })
    apache = await startApache({
      port,
      tls: certificate,
      modules: ['auth_mellon'],
      config: `MellonLockFile ${folder}/lock\n${config}`,
    })
  })
  afterAll(async () => {
    await apache?.stop()
    await echo?.stop()
    if (folder) rmSync(folder, { recursive: true, force: true })
  })

  it('passes the user to the program behind it, and no header of a browser', async () => {
    const visitor = await newSeparateVisitor({
      ...trusting,
      extraHTTPHeaders: { 'X-Remote-User': 'somebody@else.example', 'X-First-Name': 'Somebody' },
    })
    const page = await visitor.newPage()
    await signIn(page, email)
    await page.goto(`${site}/reports?of=May`)
    expect(await headersShown(page)).toMatchObject({
      'x-remote-user': email,
      'x-first-name': 'Zoë',
      'x-last-name': 'Ångström',
    })
    expect(page.url()).toBe(`${site}/reports?of=May`)
  })

  it('redirects to the sign-in page, then back to the requested page', async () => {
    const page = await (await newSeparateVisitor(trusting)).newPage()
    await page.goto(`${site}/reports?of=June`)
    await fillSignIn(page, email)
    await headersShown(page)
    expect(page.url()).toBe(`${site}/reports?of=June`)
  })

  it('receives assertions that only it can decrypt', async () => {
    const page = await (await newSeparateVisitor(trusting)).newPage()
    await signIn(page, email)
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.url() === `${site}/mellon/postResponse`),
      page.goto(`${site}/`),
    ])
    await headersShown(page)
    const response = new URLSearchParams(sent.postData() ?? '').get('SAMLResponse') ?? ''
    const xml = Buffer.from(response, 'base64').toString()
    expect(xml).toContain('EncryptedAssertion')
    expect(xml).not.toContain(email)
  })

  it('receives a response only to a signed request', async () => {
    const page = await (await newSeparateVisitor(trusting)).newPage()
    const asked = page.waitForRequest((request) => request.url().includes('/sso?SAMLRequest='))
    await page.goto(`${site}/`)
    const unsigned = new URL((await asked).url())
    for (const field of ['Signature', 'SigAlg']) {
      expect(unsigned.searchParams.has(field)).toBe(true)
      unsigned.searchParams.delete(field)
    }
    const answer = await page.goto(unsigned.href)
    expect(answer?.status()).toBe(400)
  })

  it('signs out at Keyward', async () => {
    const page = await (await newSeparateVisitor(trusting)).newPage()
    await signIn(page, email)
    await page.goto(`${site}/`)
    await headersShown(page)
    await page.goto(`${site}/mellon/logout?${new URLSearchParams({ ReturnTo: `${site}/signed-out` })}`)
    await page.waitForURL(`${site}/signed-out`)
    await page.goto(at('/account'))
    await heading(page, 'Sign in').waitFor()
    await page.goto(`${site}/`)
    await page.waitForURL((url) => url.origin === new URL(at('/')).origin && url.pathname === '/login')
  })

  it('reads a posted response when it signs out, if it is registered for the POST binding only', async () => {
    const slo = `${site}/mellon/logout`
    await owner.put(`/applications/${applicationId}`, { samlSpSloUrl: null, samlSpSloPostUrl: slo })
    const page = await (await newSeparateVisitor(trusting)).newPage()
    await signIn(page, email)
    await page.goto(`${site}/`)
    await headersShown(page)
    const posted = page.waitForRequest((request) => request.url() === slo && request.method() === 'POST')
    await page.goto(`${slo}?${new URLSearchParams({ ReturnTo: `${site}/signed-out` })}`)
    expect((await posted).postData()).toContain('SAMLResponse=')
    await page.waitForURL(`${site}/signed-out`)
    await page.goto(`${site}/`)
    await page.waitForURL((url) => url.origin === new URL(at('/')).origin && url.pathname === '/login')
    await owner.put(`/applications/${applicationId}`, { samlSpSloUrl: slo, samlSpSloPostUrl: null })
  })

  it('ends its session when the user signs out at Keyward', async () => {
    const page = await (await newSeparateVisitor(trusting)).newPage()
    await signIn(page, email)
    await page.goto(`${site}/`)
    await headersShown(page)
    await page.goto(at('/account'))
    await signOut(page)
    await page.goto(`${site}/`)
    await page.waitForURL((url) => url.origin === new URL(at('/')).origin && url.pathname === '/login')
  })
})
