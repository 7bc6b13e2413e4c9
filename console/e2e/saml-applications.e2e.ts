import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, cannotRun, newPage, newSeparateVisitor, service, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { codeField, confirm } from './factor-pages'
import { mailedLink } from './mails'
import { fillSignIn, heading, newAddress, signedIn, signInByApi, signOut } from './people'
import { type Program, protect, registerProgram, signInWithoutFactor } from './programs'
import { type SamlServiceProvider, startSamlServiceProvider } from './saml-service-provider'

useBrowser()

describe.skipIf(cannotRun)('SAML sign-in to an application', () => {
  const email = newAddress('owner')
  let owner: Program
  let payroll: SamlServiceProvider

  async function register(by: Program) {
    const { entityId, acsUrl, sloUrl } = payroll
    const settings = {
      name: 'Payroll',
      type: 'SAML',
      samlSpEntityId: entityId,
      samlSpAcsUrl: acsUrl,
      samlSpSloUrl: sloUrl,
    }
    return String((await by.post('/applications', settings)).id)
  }

  beforeAll(async () => {
    payroll = await startSamlServiceProvider()
    owner = await registerProgram(email)
    payroll.application = await register(owner)
    payroll.person = email
  })
  afterAll(() => payroll?.stop())

  it('posts the response with the relay state of the application', async () => {
    const visitor = await newPage()
    await signInByApi(visitor, email)
    await visitor.goto(payroll.url)
    await visitor.waitForURL(payroll.home)
    expect(payroll.posted.at(-1)?.get('RelayState')).toBe('deep & "quoted" <link>')
    expect(payroll.answered()).toContain(email)
  })

  it('asks a user whom the team only added to join it before the application receives anything', async () => {
    const added = newAddress('added')
    const program = await registerProgram(added)
    const link = new URL(await mailedLink(service.outbox, added, '/verify-email'))
    await program.post('/auth/verify-email', { token: link.searchParams.get('token') })
    const { id } = await owner.post('/users', { email: added })
    await owner.put(`/users/${id}`, { status: 'active' })
    const visitor = await newPage()
    await signInByApi(visitor, added)
    const before = payroll.posted.length
    await visitor.goto(payroll.url)
    const join = visitor.getByRole('button', { name: 'Join and continue' })
    await join.waitFor()
    await checkEveryView(visitor, 'saml-join')
    expect(payroll.posted).toHaveLength(before)
    await join.click()
    await visitor.waitForURL(payroll.home)
    expect(payroll.answered()).toContain(added)
  })

  it('answers a request that is posted from another site without a sign-in page', async () => {
    const visitor = await newPage()
    await signInByApi(visitor, email)
    const before = payroll.posted.length
    const shown: string[] = []
    await visitor.goto(`${payroll.url}/by-post`)
    visitor.on('framenavigated', (frame) => shown.push(new URL(frame.url()).pathname))
    await visitor.getByRole('button', { name: 'Sign in' }).click()
    await visitor.waitForURL(payroll.home)
    expect(payroll.posted).toHaveLength(before + 1)
    expect(shown).not.toContain('/login')
    expect(payroll.answered()).toContain(email)
  })

  it('signs the user out of the application at a sign-out', async () => {
    const visitor = await newPage()
    await signInByApi(visitor, email)
    await visitor.goto(payroll.url)
    await visitor.waitForURL(payroll.home)
    const before = payroll.signOuts.length
    await visitor.goto(at('/account'))
    await signOut(visitor)
    await heading(visitor, 'You are signed out').waitFor()
    expect(payroll.signOuts.slice(before).map((query) => query.has('SAMLRequest'))).toEqual([true])
    expect(await visitor.getByText('An application may still have a session').count()).toBe(0)
  })

  it('asks before an unsigned logout request ends the session', async () => {
    const visitor = await newPage()
    await signInByApi(visitor, email)
    await visitor.goto(payroll.url)
    await visitor.waitForURL(payroll.home)
    await visitor.goto(payroll.sloUrl)
    await visitor.getByText('Payroll requests that you sign out').waitFor()
    await visitor.getByRole('button', { name: 'Sign out', exact: true }).click()
    await visitor.waitForURL(payroll.home)
    expect(payroll.signOuts.at(-1)?.has('SAMLResponse')).toBe(true)
    await visitor.goto(at('/account'))
    await heading(visitor, 'Sign in').waitFor()
  })

  it('shows an error instead of a loop in a browser without cookies', async () => {
    const visitor = await newPage()
    await visitor.route(/\/sso\?resume=/, async (route) => {
      await visitor.context().clearCookies({ name: /keyward_sso/ })
      await route.continue()
    })
    await visitor.goto(payroll.url)
    await fillSignIn(visitor, email)
    await visitor.getByText('Allow cookies for this address').waitFor()
  })

  it('works with one click in a browser without JavaScript', async () => {
    const first = await newPage()
    await signInByApi(first, email)
    const storageState = await first.context().storageState()
    const visitor = await newSeparateVisitor({ javaScriptEnabled: false, storageState })
    const plain = await visitor.newPage()
    await plain.goto(payroll.url)
    await plain.getByRole('button', { name: 'Continue' }).click()
    await plain.waitForURL(payroll.home)
    expect(payroll.answered()).toContain(email)
  })

  it('names the application on the sign-in page and continues to it after the sign-in', async () => {
    const visitor = await newPage()
    await visitor.goto(payroll.url)
    await heading(visitor, 'Sign in to Payroll').waitFor()
    expect(new URL(visitor.url()).pathname).toBe('/login')
    await checkEveryView(visitor, 'login-saml')
    await fillSignIn(visitor, email)
    await visitor.waitForURL(payroll.home)
    expect(payroll.posted.at(-1)?.get('RelayState')).toBe('deep & "quoted" <link>')
  })

  it('asks for a second factor that a policy requires', { timeout: 90_000 }, async () => {
    const careful = newAddress('careful')
    const program = await registerProgram(careful)
    const before = payroll.application
    payroll.application = await register(program)
    const { app, backupCodes } = await protect(program)
    const visitor = await newPage()
    await signInWithoutFactor(visitor, program, careful, backupCodes[0] ?? '')
    await program.post('/policies', {
      name: 'Payroll wants more',
      type: 'MFA',
      effect: 'ALLOW',
      resource: `application:${payroll.application}`,
      actions: ['login'],
      rules: [{ requirement: 'MFA_REQUIRED' }],
    })
    await visitor.goto(payroll.url)
    await heading(visitor, 'Two-step verification').waitFor()
    await visitor.getByText('to continue to Payroll').waitFor()
    await checkEveryView(visitor, 'consent-saml-factor')
    await codeField(visitor).fill(await app.code())
    await confirm(visitor).click()
    await visitor.waitForURL(payroll.home)
    expect(payroll.answered()).toContain(careful)
    payroll.application = before
  })

  it('explains an expired request and links to the start page', async () => {
    const visitor = await newPage()
    await signInByApi(visitor, email)
    await visitor.goto(at(`/consent?saml=${payroll.application}:no-request-of-this-id-waits-here`))
    await heading(visitor, 'This sign-in has expired').waitFor()
    await visitor.getByText('The sign-in was completed in another tab or took too long.').waitFor()
    expect(await visitor.getByText('saml_request_not_found').count()).toBe(0)
    await checkEveryView(visitor, 'consent-saml-over')
    await visitor.getByRole('button', { name: 'Go to start page' }).click()
    await signedIn(visitor)
  })
})
