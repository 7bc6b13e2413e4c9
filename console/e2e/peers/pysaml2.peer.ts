import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { at, cannotRun, newSeparateVisitor, useBrowser } from '../browser'
import { newAddress, signIn, signOut } from '../people'
import { type Program, registerProgram } from '../programs'
import { freePort } from '../service'
import { type Apache, readableFolder, startApache } from './apache'

useBrowser()

const certificate = inject('certificate')
const trusting = { ignoreHTTPSErrors: true }

describe.skipIf(cannotRun)('a site with pysaml2', () => {
  const email = newAddress('owner')
  let owner: Program
  let folder: string
  let apache: Apache
  let program: ReturnType<typeof spawn>
  let output = ''
  let application: Record<string, unknown>
  let site: string

  beforeAll(async () => {
    if (!certificate) return
    folder = readableFolder('pysaml2')
    const [port, own] = [await freePort(), await freePort()]
    site = `https://127.0.0.1:${port}`
    owner = await registerProgram(email)
    const [key, pem] = [join(folder, 'sp.key'), join(folder, 'sp.crt')]
    execFileSync(
      'openssl',
      // biome-ignore format: each option is beside its value
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=site', '-keyout', key, '-out', pem],
      { stdio: 'ignore' },
    )
    chmodSync(key, 0o644)
    const { id } = await owner.post('/applications', {
      name: 'Wiki',
      type: 'SAML',
      samlSpEntityId: `${site}/metadata`,
      samlSpCertificate: readFileSync(pem, 'utf8'),
    })
    writeFileSync(join(folder, 'keyward.xml'), await (await fetch(at(`/api/v1/sso/saml-idp/${id}/metadata`))).text())
    program = spawn('/usr/bin/python3', [join(import.meta.dirname, 'pysaml2-site.py'), folder, String(own), site])
    program.stderr?.on('data', (chunk: Buffer) => {
      output += chunk
    })
    apache = await startApache({ port, tls: certificate, config: `ProxyPass / http://127.0.0.1:${own}/` })
    const { warnings, certificateExpiresAt, requestedAttributes, ...registered } = await owner.post(
      '/applications/metadata/parse',
      { xml: await metadata() },
    )
    application = await owner.put(`/applications/${id}`, registered)
  })
  afterAll(async () => {
    await apache?.stop()
    program?.kill()
    if (folder) rmSync(folder, { recursive: true, force: true })
    if (process.env.E2E_LOG) process.stdout.write(output)
  })

  async function metadata(): Promise<string> {
    for (const end = Date.now() + 30_000; ; ) {
      const answer = await fetch(`${site}/metadata`)
      if (answer.ok) return answer.text()
      if (program.exitCode !== null || Date.now() > end) throw new Error(`The site does not start:\n${output}`)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  const shown = async (page: Page): Promise<Record<string, unknown>> => {
    await page.waitForURL(`${site}/**`)
    return JSON.parse((await page.locator('pre').textContent()) ?? '')
  }
  const visitSite = async (): Promise<Page> => {
    const page = await (await newSeparateVisitor(trusting)).newPage()
    await signIn(page, email)
    await page.goto(`${site}/pages`)
    expect(await shown(page)).toMatchObject({ attributes: { email: [email] } })
    return page
  }
  const expectSignedOut = async (page: Page) => {
    await page.goto(`${site}/pages`)
    await page.waitForURL((url) => url.origin === new URL(at('/')).origin && url.pathname === '/login')
  }

  it('registers by its metadata with encryption and the single logout URLs of both bindings', () => {
    expect(application).toMatchObject({
      samlSpAcsUrl: `${site}/acs`,
      samlSpSloUrl: `${site}/slo/redirect`,
      samlSpSloPostUrl: `${site}/slo/post`,
      samlEncryptAssertion: true,
    })
  })

  it.each(['redirect', 'post'])(
    'signs out at Keyward by a LogoutRequest over %s and accepts the response',
    async (binding) => {
      const page = await visitSite()
      await page.goto(`${site}/logout?binding=${binding}`)
      await page.waitForURL(`${site}/slo/${binding}**`)
      expect(await shown(page)).toEqual({
        signedOut: true,
        binding: binding === 'post' ? 'HTTP-POST' : 'HTTP-Redirect',
      })
      await expectSignedOut(page)
    },
  )

  it('ends its session when the user signs out at Keyward, over each binding', async () => {
    const urls = { samlSpSloUrl: application.samlSpSloUrl, samlSpSloPostUrl: application.samlSpSloPostUrl }
    for (const only of [{ samlSpSloPostUrl: null }, { samlSpSloUrl: null }]) {
      await owner.put(`/applications/${application.id}`, { ...urls, ...only })
      const page = await visitSite()
      await page.goto(at('/account'))
      await signOut(page)
      await expectSignedOut(page)
    }
    await owner.put(`/applications/${application.id}`, urls)
  })
})
