import { describe, expect, it } from 'vitest'
import { at, cannotRun, newPage, newSeparateVisitor, service, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { addApp, atTheChallenge, backupField, codeField, confirm } from './factor-pages'
import { pressOn, tabTo } from './keyboard'
import { mailedLink } from './mails'
import {
  field,
  fillSignIn,
  goodPassword,
  heading,
  newAddress,
  register,
  registerByApi,
  signedIn,
  signOut,
} from './people'
import {
  createApplication,
  joinByInvitation,
  protect,
  registerProgram,
  signInProgram,
  signInToTeam,
  signInWithoutFactor,
} from './programs'
import { startRelyingParty } from './relying-party'

useBrowser()

describe.skipIf(cannotRun)('the second step of a sign-in', () => {
  it('takes a code as it is pasted, sends it only when told to, and leads on', { timeout: 60_000 }, async () => {
    const { page, app } = await atTheChallenge('/account/teams')
    await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'code')
    expect(await page.locator('form input').count()).toBe(1)
    expect(await codeField(page).getAttribute('autocomplete')).toBe('one-time-code')
    expect(await codeField(page).getAttribute('inputmode')).toBe('numeric')
    await checkEveryView(page, 'mfa-code')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const code = await app.code()
    await page.evaluate((text) => navigator.clipboard.writeText(text), `${code.slice(0, 3)} ${code.slice(3)}`)
    await codeField(page).focus()
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
    await page.keyboard.press('Control+V')
    await page.waitForTimeout(300)
    expect(sent).toEqual([])
    await page.keyboard.press('Enter')
    await heading(page, 'Teams').waitFor()
    expect(new URL(page.url()).pathname).toBe('/account/teams')
  })

  it('is done without a mouse', { timeout: 60_000 }, async () => {
    const email = newAddress('careful')
    const { app } = await protect(await registerProgram(email))
    const page = await newPage()
    await page.goto(at('/login'))
    await tabTo(page, field.email(page))
    await page.keyboard.type(email)
    await page.keyboard.press('Enter')
    await tabTo(page, field.password(page))
    await page.keyboard.type(goodPassword)
    await page.keyboard.press('Enter')
    await heading(page, 'Enter your code').waitFor()
    await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'code')
    await pressOn(page, page.getByRole('button', { name: 'Use a backup code' }))
    await heading(page, 'Enter a backup code').waitFor()
    await pressOn(page, page.getByRole('button', { name: 'Use your app’s code' }))
    await heading(page, 'Enter your code').waitFor()
    await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'code')
    await page.keyboard.type(await app.code())
    await page.keyboard.press('Enter')
    await signedIn(page)
  })

  it('takes each backup code once, and the account says how many are left', { timeout: 60_000 }, async () => {
    const { page, email, backupCodes } = await atTheChallenge()
    const [code = ''] = backupCodes
    await page.getByRole('button', { name: 'Use a backup code' }).click()
    await heading(page, 'Enter a backup code').waitFor()
    expect(await backupField(page).getAttribute('inputmode')).toBe('text')
    await checkEveryView(page, 'mfa-backup')
    await backupField(page).fill(code)
    await confirm(page).click()
    await signedIn(page)
    await page.goto(at('/account'))
    await page.getByText('9 of 10 backup codes left').waitFor()
    await page.getByText('A second factor is on').waitFor()
    await signOut(page)
    await page.goto(at('/login'))
    await fillSignIn(page, email)
    await page.getByRole('button', { name: 'Use a backup code' }).click()
    await backupField(page).fill(code)
    await confirm(page).click()
    await page.getByRole('alert').getByText('used already').waitFor()
  })

  it('says that few backup codes are left before there are none', { timeout: 60_000 }, async () => {
    const { page, email, app, backupCodes } = await atTheChallenge('/account/security')
    for (const code of backupCodes.slice(0, 8)) await signInProgram(email, code)
    await codeField(page).fill(await app.code())
    await confirm(page).click()
    await page.getByText('2 of 10 left').waitFor()
    await page.getByText('Make a new set before they run out.').waitFor()
    await checkEveryView(page, 'few-backup-codes')
  })

  it('ends after five wrong codes, and says so beside the address that was typed', { timeout: 60_000 }, async () => {
    const { page, email, app } = await atTheChallenge()
    for (let tries = 1; tries <= 5; tries += 1) {
      await codeField(page).fill(app.wrongCode())
      await confirm(page).click()
      if (tries === 5) break
      await page.getByRole('alert').getByText('That code is not right').waitFor()
      expect(await codeField(page).inputValue()).toBe('')
    }
    await heading(page, 'Sign in').waitFor()
    await page.getByText('wrong five times').waitFor()
    expect(await field.email(page).inputValue()).toBe(email)
    await checkEveryView(page, 'login-after-challenge')
  })

  it('ends when its five minutes are over', { timeout: 60_000 }, async () => {
    const email = newAddress('slow')
    await protect(await registerProgram(email))
    const page = await (await newSeparateVisitor()).newPage()
    await page.clock.install()
    await page.goto(at('/login'))
    await fillSignIn(page, email)
    await page
      .getByRole('timer')
      .getByText(/another [45]:\d\d/)
      .waitFor()
    await page.clock.fastForward('05:01')
    await heading(page, 'Sign in').waitFor()
    await page.getByText('The five minutes').waitFor()
    expect(await field.email(page).inputValue()).toBe(email)
  })

  it('says that it is over where the service ended it, at the next try', { timeout: 60_000 }, async () => {
    const { page, app } = await atTheChallenge()
    await page.route('**/mfa/verify-challenge', (route) => {
      // As if this sign-in had been finished in another tab.
      const body = { ...(route.request().postDataJSON() as object), mfaToken: 'x'.repeat(43) }
      return route.continue({ postData: JSON.stringify(body) })
    })
    await codeField(page).fill(await app.code())
    await confirm(page).click()
    await page.getByText('This sign-in is over.').waitFor()
    await heading(page, 'Sign in').waitFor()
  })

  it('begins anew after a reload, and still knows where to go', { timeout: 60_000 }, async () => {
    const { page, email, app } = await atTheChallenge('/account/teams')
    await page.reload()
    await heading(page, 'Sign in').waitFor()
    await fillSignIn(page, email)
    await codeField(page).fill(await app.code())
    await confirm(page).click()
    await heading(page, 'Teams').waitFor()
  })

  it('stands also behind a link by mail', { timeout: 60_000 }, async () => {
    const page = await newPage()
    const email = newAddress()
    await register(page, email)
    await page.goto(await mailedLink(service.outbox, email, '/verify-email'))
    await page.getByRole('button', { name: 'Confirm address' }).click()
    await heading(page, 'Your address is confirmed').waitFor()
    await page.goto(at('/account/security'))
    const app = await addApp(page)
    await page.getByRole('checkbox', { name: 'I’ve saved these codes' }).check()
    await page.getByRole('button', { name: 'Done' }).click()
    await signOut(page)
    await page.goto(at('/login/link'))
    await field.email(page).fill(email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await heading(page, 'Check your email').waitFor()
    await page.goto(await mailedLink(service.outbox, email, '/auth/verify'))
    await heading(page, 'Enter your code').waitFor()
    await codeField(page).fill(await app.code())
    await confirm(page).click()
    await signedIn(page)
  })

  it('lets the owner of an address delete an account that somebody else made and protected', {
    timeout: 60_000,
  }, async () => {
    const email = newAddress('owner')
    await protect(await registerProgram(email))
    const page = await newPage()
    await page.goto(at('/login/link'))
    await field.email(page).fill(email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await heading(page, 'Check your email').waitFor()
    await page.goto(await mailedLink(service.outbox, email, '/auth/verify'))
    await page.getByText('A passkey or authenticator app was removed.').waitFor()
    await checkEveryView(page, 'verify-cleaned')
    await page.getByRole('button', { name: 'I did not create this account' }).click()
    await page.getByRole('button', { name: 'Delete account' }).click()
    await heading(page, 'The account is deleted').waitFor()
    await register(page, email)
  })

  it('continues in another team where a team requires a factor that it set up itself', {
    timeout: 60_000,
  }, async () => {
    const email = newAddress('wanted')
    const user = await registerProgram(email)
    await user.put(`/organizations/${user.teamId}`, { name: 'A-team-with-an-uncommonly-long-name-without-any-spaces' })
    const owner = await registerProgram(newAddress('owner'))
    await joinByInvitation(owner, user, email)
    const members = (await owner.get('/users')).data as { id: string; email: string }[]
    const id = members.find((member) => member.email === email)?.id
    const temporaryPassword = 'handed over by the help desk'
    await owner.post(`/users/${id}/password-reset`, { temporaryPassword })
    await protect(await signInToTeam(email, temporaryPassword, owner.teamId))
    const page = await newPage()
    await page.goto(at('/login'))
    await fillSignIn(page, email)
    await page.getByRole('group', { name: 'Sign in to another team' }).waitFor()
    await checkEveryView(page, 'mfa-other-team')
    await page.getByRole('button', { name: /^A-team/ }).click()
    await signedIn(page)
  })

  it('leads on to the application that asked for the sign-in, which receives a form', { timeout: 60_000 }, async () => {
    const shop = await startRelyingParty()
    const email = newAddress('owner')
    const owner = await registerProgram(email)
    const client = await createApplication(owner, 'The Shop', { redirectUris: [shop.redirectUri] })
    const { app } = await protect(owner)
    const page = await newPage()
    await page.goto(shop.signIn(client, { response_mode: 'form_post' }))
    await fillSignIn(page, email)
    await codeField(page).fill(await app.code())
    await confirm(page).click()
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(shop.redirectUri)
    expect(await shop.redeem(client, shop.posted().href)).toHaveProperty('id_token')
    await shop.stop()
  })

  it('is asked for over a form with something typed, which is then sent', { timeout: 60_000 }, async () => {
    const { page, app } = await atTheChallenge('/account/teams')
    await codeField(page).fill(await app.code())
    await confirm(page).click()
    await page.getByRole('textbox', { name: 'Team name' }).fill('Typed before the end')
    await page.context().clearCookies()
    let refused = 0
    await page.route('**/api/v1/organizations', (route) => {
      if (route.request().method() !== 'POST' || refused > 0) return route.continue()
      refused += 1
      return route.fulfill({ status: 401, contentType: 'application/problem+json', body: '{"code":"unauthenticated"}' })
    })
    await page.getByRole('button', { name: 'Create team' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.getByRole('textbox', { name: 'Password' }).fill(goodPassword)
    await dialog.getByRole('button', { name: 'Sign in and go on' }).click()
    await codeField(page).waitFor()
    await checkEveryView(page, 'sign-in-again-code')
    await codeField(page).fill(await app.code())
    await confirm(page).click()
    await heading(page, 'Typed before the end').waitFor()
  })
})

describe.skipIf(cannotRun)('an application that a policy keeps for those with a second factor', () => {
  it('asks for it over the session that there is, or has it set up, and goes on', { timeout: 90_000 }, async () => {
    const shop = await startRelyingParty()
    const email = newAddress('owner')
    const owner = await registerProgram(email)
    const client = await createApplication(owner, 'The Vault', { redirectUris: [shop.redirectUri] })
    const page = await newPage()
    await page.goto(at('/login'))
    await fillSignIn(page, email)
    await signedIn(page)
    await owner.post('/policies', {
      name: 'The vault wants more',
      type: 'MFA',
      effect: 'ALLOW',
      resource: `application:${client.id}`,
      actions: ['login'],
      rules: [{ requirement: 'MFA_REQUIRED' }],
    })
    await page.goto(shop.signIn(client))
    await heading(page, 'Protect your account').waitFor()
    const { app, backupCodes } = await protect(owner)
    await signInWithoutFactor(page, owner, email, backupCodes[0] ?? '')
    await page.goto(shop.signIn(client))
    await heading(page, 'One more step').waitFor()
    await checkEveryView(page, 'consent-second-factor')
    await codeField(page).fill(await app.code())
    await confirm(page).click()
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(`${shop.redirectUri}?**`)
    expect(await shop.redeem(client, page.url())).toHaveProperty('id_token')
    await shop.stop()
  })
})

describe.skipIf(cannotRun)('a proof of who is sitting here', () => {
  it('is the factor itself, where it was set up in another session', { timeout: 60_000 }, async () => {
    const email = newAddress('two-sessions')
    const program = await registerProgram(email)
    const page = await newPage()
    const { app, backupCodes } = await protect(program)
    await signInWithoutFactor(page, program, email, backupCodes[0] ?? '')
    await page.goto(at('/account/security'))
    await page.getByRole('button', { name: 'Make a new set' }).click()
    await page
      .getByRole('dialog', { name: 'Make new backup codes?' })
      .getByRole('button', { name: 'Make a new set' })
      .click()
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await dialog.getByText('For this you need your second factor').waitFor()
    await checkEveryView(page, 'reauthenticate-factor')
    await dialog.getByRole('textbox', { name: 'Code from your app' }).fill(await app.code())
    await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
    await page.getByRole('dialog', { name: 'Your backup codes' }).waitFor()
  })

  it('is a code of the app for an account that has neither password nor passkey', { timeout: 90_000 }, async () => {
    const email = newAddress('owner')
    await registerProgram(email)
    const page = await newPage()
    await page.goto(at('/login/link'))
    await field.email(page).fill(email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await heading(page, 'Check your email').waitFor()
    // The proof of the address took away the password that somebody had set before it.
    await page.goto(await mailedLink(service.outbox, email, '/auth/verify'))
    await page.getByRole('button', { name: 'It was me, go on' }).click()
    await signedIn(page)
    await page.goto(at('/account/security'))
    const app = await addApp(page)
    await page.getByRole('checkbox', { name: 'I’ve saved these codes' }).check()
    await page.getByRole('button', { name: 'Done' }).click()
    // As if the sign-in were older than a quarter of an hour.
    await page.route(
      '**/mfa/adaptive/toggle',
      (route) =>
        route.fulfill({
          status: 403,
          contentType: 'application/problem+json',
          body: '{"code":"reauthentication_required"}',
        }),
      { times: 1 },
    )
    const choice = page.getByRole('switch', { name: 'Ask more when a sign-in looks unusual' })
    await choice.click()
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await dialog.getByRole('textbox', { name: 'Code from your app' }).fill(await app.code())
    await checkEveryView(page, 'reauthenticate-code')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('input[role=switch]')?.checked)
  })
})

describe.skipIf(cannotRun)('an answer that wants a second factor first', () => {
  it('leads any page to where it is set up, and back', async () => {
    const page = await newPage()
    await registerByApi(page, newAddress())
    await page.goto(at('/account'))
    // As if it had been asked for since the page was opened.
    const body = '{"code":"mfa_enrollment_required"}'
    await page.route('**/api/v1/auth/sessions', (route) =>
      route.fulfill({ status: 403, contentType: 'application/problem+json', body }),
    )
    await page.reload()
    await heading(page, 'Protect your account').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Not now' }).click()
    await heading(page, 'Your account').waitFor()
  })
})
