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
  registerByApi,
  signedIn,
  signOut,
  teamSwitcher,
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

describe.skipIf(cannotRun)('two-step verification at the sign-in', () => {
  it('accepts a pasted code, submits it on request, and continues', { timeout: 60_000 }, async () => {
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

  it('works by keyboard', { timeout: 60_000 }, async () => {
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
    await pressOn(page, page.getByRole('button', { name: 'Backup code' }))
    await heading(page, 'Enter a backup code').waitFor()
    await pressOn(page, page.getByRole('button', { name: 'Use another method' }))
    await heading(page, 'Enter your code').waitFor()
    await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'code')
    await page.keyboard.type(await app.code())
    await page.keyboard.press('Enter')
    await signedIn(page)
  })

  it('accepts each backup code once, and shows the number of remaining ones', { timeout: 60_000 }, async () => {
    const { page, email, backupCodes } = await atTheChallenge()
    const [code = ''] = backupCodes
    await page.getByRole('button', { name: 'Backup code' }).click()
    await heading(page, 'Enter a backup code').waitFor()
    expect(await backupField(page).getAttribute('inputmode')).toBe('text')
    await checkEveryView(page, 'mfa-backup')
    await backupField(page).fill(code)
    await confirm(page).click()
    await signedIn(page)
    await page.goto(at('/account'))
    await page.getByText('9 of 10 backup codes left').waitFor()
    await page.getByText('Two-step verification is on').waitFor()
    await signOut(page)
    await page.goto(at('/login'))
    await fillSignIn(page, email)
    await page.getByRole('button', { name: 'Backup code' }).click()
    await backupField(page).fill(code)
    await confirm(page).click()
    await page.getByRole('alert').getByText('That code is incorrect or was already used. 4 attempts left.').waitFor()
  })

  it('offers the other methods, then the administrator, to a user without the device', {
    timeout: 60_000,
  }, async () => {
    const { page } = await atTheChallenge()
    await page.getByRole('button', { name: 'Lost your device?' }).click()
    await heading(page, 'Can’t use your device?').waitFor()
    await page.getByText('ask an administrator of your team to reset').waitFor()
    await page
      .getByRole('timer')
      .getByText(/Expires in/)
      .waitFor()
    await checkEveryView(page, 'mfa-lost')
    // One way back: to the method.
    expect(await page.getByRole('button', { name: /^Back/ }).count()).toBe(1)
    await page.getByRole('button', { name: 'Back', exact: true }).click()
    await heading(page, 'Enter your code').waitFor()
    await page.getByRole('button', { name: 'Lost your device?' }).click()
    await page.getByRole('button', { name: 'Use a backup code' }).click()
    await heading(page, 'Enter a backup code').waitFor()
  })

  it('warns about few remaining backup codes', { timeout: 60_000 }, async () => {
    const { page, email, app, backupCodes } = await atTheChallenge('/account/security')
    for (const code of backupCodes.slice(0, 8)) await signInProgram(email, code)
    await codeField(page).fill(await app.code())
    await confirm(page).click()
    await page.getByText('2 of 10 left').waitFor()
    await page.getByText('Generate new codes before you run out.').waitFor()
    await checkEveryView(page, 'few-backup-codes')
  })

  it('ends after five wrong codes, and keeps the typed email address', { timeout: 60_000 }, async () => {
    const { page, email, app } = await atTheChallenge()
    for (let tries = 1; tries <= 5; tries += 1) {
      await codeField(page).fill(app.wrongCode())
      await confirm(page).click()
      if (tries === 5) break
      await page
        .getByRole('alert')
        .getByText(`${5 - tries} attempt`)
        .waitFor()
      // The next code replaces the wrong one.
      await page.waitForFunction(() => getSelection()?.toString().length === 6)
    }
    await heading(page, 'Sign in').waitFor()
    await page.getByText('Five codes were wrong').waitFor()
    expect(await field.email(page).inputValue()).toBe(email)
    await checkEveryView(page, 'login-after-challenge')
  })

  it('ends after five minutes', { timeout: 60_000 }, async () => {
    const email = newAddress('slow')
    await protect(await registerProgram(email))
    const page = await (await newSeparateVisitor()).newPage()
    await page.clock.install()
    await page.goto(at('/login'))
    await fillSignIn(page, email)
    await page
      .getByRole('timer')
      .getByText(/Expires in [45]:\d\d/)
      .waitFor()
    await page.clock.fastForward('05:01')
    await heading(page, 'Sign in').waitFor()
    await page.getByText('This sign-in expired after five minutes').waitFor()
    expect(await field.email(page).inputValue()).toBe(email)
  })

  it('reports an expired sign-in at the next attempt', { timeout: 60_000 }, async () => {
    const { page, app } = await atTheChallenge()
    await page.route('**/mfa/verify-challenge', (route) => {
      // As if this sign-in had been completed in another tab.
      const body = { ...(route.request().postDataJSON() as object), mfaToken: 'x'.repeat(43) }
      return route.continue({ postData: JSON.stringify(body) })
    })
    await codeField(page).fill(await app.code())
    await confirm(page).click()
    await page.getByText('This sign-in has expired.').waitFor()
    await heading(page, 'Sign in').waitFor()
  })

  it('restarts after a reload, and keeps the destination', { timeout: 60_000 }, async () => {
    const { page, email, app } = await atTheChallenge('/account/teams')
    await page.reload()
    await heading(page, 'Sign in').waitFor()
    await fillSignIn(page, email)
    await codeField(page).fill(await app.code())
    await confirm(page).click()
    await heading(page, 'Teams').waitFor()
  })

  it('follows a mailed link', { timeout: 60_000 }, async () => {
    const page = await newPage()
    const email = newAddress()
    await registerByApi(page, email)
    await page.goto(await mailedLink(service.outbox, email, '/verify-email'))
    await page.getByRole('button', { name: 'Verify email' }).click()
    await heading(page, 'Email verified').waitFor()
    await page.goto(at('/account/security'))
    const app = await addApp(page)
    await page.getByRole('checkbox', { name: 'I’ve saved these codes' }).check()
    await page.getByRole('button', { name: 'Done' }).click()
    await signOut(page)
    await page.goto(at('/login/link'))
    await field.email(page).fill(email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await heading(page, 'Check your email').waitFor()
    await page.goto(await mailedLink(service.outbox, email, '/auth/verify'))
    await heading(page, 'Enter your code').waitFor()
    await codeField(page).fill(await app.code())
    await confirm(page).click()
    await signedIn(page)
  })

  it('lets the owner of an email address delete an account that another person created and protected', {
    timeout: 60_000,
  }, async () => {
    const email = newAddress('owner')
    await protect(await registerProgram(email))
    const page = await newPage()
    await page.goto(at('/login/link'))
    await field.email(page).fill(email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await heading(page, 'Check your email').waitFor()
    await page.goto(await mailedLink(service.outbox, email, '/auth/verify'))
    await page.getByText('One passkey or authenticator app was removed.').waitFor()
    await checkEveryView(page, 'verify-cleaned')
    await page.getByRole('button', { name: 'I did not create this account' }).click()
    await page.getByRole('button', { name: 'Delete account' }).click()
    await heading(page, 'Account deleted').waitFor()
    await registerProgram(email)
  })

  it('continues in another team if a team requires its own factor', {
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

  it('continues to the application, which receives a form', { timeout: 60_000 }, async () => {
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

  it('verifies over a form with unsaved input, which is then submitted', { timeout: 60_000 }, async () => {
    const { page, app } = await atTheChallenge('/account/teams')
    await codeField(page).fill(await app.code())
    await confirm(page).click()
    await page.getByRole('textbox', { name: 'Team name' }).fill('Typed before the end')
    await page.context().clearCookies()
    let rejected = 0
    await page.route('**/api/v1/organizations', (route) => {
      if (route.request().method() !== 'POST' || rejected > 0) return route.continue()
      rejected += 1
      return route.fulfill({ status: 401, contentType: 'application/problem+json', body: '{"code":"unauthenticated"}' })
    })
    await page.getByRole('button', { name: 'Create team' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.getByRole('textbox', { name: 'Password' }).fill(goodPassword)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await codeField(page).waitFor()
    await checkEveryView(page, 'sign-in-again-code')
    await codeField(page).fill(await app.code())
    await confirm(page).click()
    await teamSwitcher(page, 'Typed before the end').waitFor()
  })
})

describe.skipIf(cannotRun)('an application that requires two-step verification', () => {
  it('verifies in the current session, or sets it up, and continues', { timeout: 90_000 }, async () => {
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
    await heading(page, 'Two-step verification').waitFor()
    await checkEveryView(page, 'consent-second-factor')
    await codeField(page).fill(await app.code())
    await confirm(page).click()
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(`${shop.redirectUri}?**`)
    expect(await shop.redeem(client, page.url())).toHaveProperty('id_token')
    await shop.stop()
  })
})

describe.skipIf(cannotRun)('reauthentication', () => {
  it('requires a factor that was set up in another session', { timeout: 60_000 }, async () => {
    const email = newAddress('two-sessions')
    const program = await registerProgram(email)
    const page = await newPage()
    const { app, backupCodes } = await protect(program)
    await signInWithoutFactor(page, program, email, backupCodes[0] ?? '')
    await page.goto(at('/account/security'))
    await page.getByRole('button', { name: 'Generate new codes' }).click()
    await page
      .getByRole('dialog', { name: 'Generate new backup codes?' })
      .getByRole('button', { name: 'Generate new codes' })
      .click()
    const dialog = page.getByRole('dialog', { name: 'Confirm your identity' })
    await dialog.getByText('Two-step verification is required').waitFor()
    await checkEveryView(page, 'reauthenticate-factor')
    await dialog.getByRole('textbox', { name: '6-digit code' }).fill(await app.code())
    await dialog.getByRole('button', { name: 'Verify', exact: true }).click()
    await page.getByRole('dialog', { name: 'Your backup codes' }).waitFor()
  })

  it('accepts a code of the app from an account without password and passkey', { timeout: 90_000 }, async () => {
    const email = newAddress('owner')
    await registerProgram(email)
    const page = await newPage()
    await page.goto(at('/login/link'))
    await field.email(page).fill(email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await heading(page, 'Check your email').waitFor()
    // The verification of the email address removed the earlier password.
    await page.goto(await mailedLink(service.outbox, email, '/auth/verify'))
    await page.getByRole('button', { name: 'Continue' }).click()
    await signedIn(page)
    await page.goto(at('/account/security'))
    const app = await addApp(page)
    await page.getByRole('checkbox', { name: 'I’ve saved these codes' }).check()
    await page.getByRole('button', { name: 'Done' }).click()
    // As if the sign-in were older than fifteen minutes.
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
    const choice = page.getByRole('switch', { name: 'Verify only unusual sign-ins' })
    await choice.click()
    const dialog = page.getByRole('dialog', { name: 'Confirm your identity' })
    await dialog.getByRole('textbox', { name: '6-digit code' }).fill(await app.code())
    await checkEveryView(page, 'reauthenticate-code')
    await dialog.getByRole('button', { name: 'Verify' }).click()
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('input[role=switch]')?.checked)
  })
})

describe.skipIf(cannotRun)('a response that requires a second factor', () => {
  it('leads from any page to the setup and back', async () => {
    const page = await newPage()
    await registerByApi(page, newAddress())
    await page.goto(at('/account'))
    // As if the requirement started after the page was opened.
    const body = '{"code":"mfa_enrollment_required"}'
    await page.route('**/api/v1/auth/sessions', (route) =>
      route.fulfill({ status: 403, contentType: 'application/problem+json', body }),
    )
    await page.reload()
    await heading(page, 'Protect your account').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Not now' }).click()
    await heading(page, 'Profile').waitFor()
  })
})
