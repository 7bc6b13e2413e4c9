import { describe, expect, it } from 'vitest'
import { violations } from './axe'
import { at, cannotRun, newPage, picture, service, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { mailedLink } from './mails'
import {
  currentTeam,
  field,
  fillSignIn,
  goodPassword,
  heading,
  newAddress,
  register,
  registerByApi,
  signedIn,
  signIn,
  signInByApi,
  signInByForm,
  signOut,
  teamSwitcher,
} from './people'
import { joinByInvitation, registerProgram } from './programs'

useBrowser()

describe.skipIf(cannotRun)('the account', () => {
  it('changes the password, keeps this session and ends the others', async () => {
    const email = newAddress()
    const page = await newPage()
    await registerByApi(page, email)
    const elsewhere = await newPage()
    await signIn(elsewhere, email)
    await page.goto(at('/account/security'))
    await page.getByRole('button', { name: 'Change password' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change password' })
    await checkEveryView(page, 'change-password')
    await field.currentPassword(page).fill('not my password')
    await field.newPassword(page).fill('a brand new password')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('The current password is incorrect').waitFor()
    await field.currentPassword(page).fill('correct horse battery')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Password changed').waitFor()
    await dialog.waitFor({ state: 'detached' })
    await page.reload()
    await heading(page, 'Security').waitFor()
    await elsewhere.reload()
    await heading(elsewhere, 'Sign in').waitFor()
    await fillSignIn(elsewhere, email, 'a brand new password')
    await signedIn(elsewhere)
  })

  it('groups the sessions by device, and ends one, those of a device or all others', async () => {
    const email = newAddress()
    const page = await newPage()
    await registerByApi(page, email)
    const others = [await newPage(), await newPage(), await newPage()]
    for (const other of others) await signInByApi(other, email)
    await page.goto(at('/account/sessions'))
    const signedInNow = page.locator('section', { has: page.getByRole('heading', { name: 'Active sessions' }) })
    await signedInNow.getByText('This device').waitFor()
    // All of one browser on one computer.
    await signedInNow.getByText('4 sessions').click()
    await signedInNow.getByText('This session').waitFor()
    expect(await signedInNow.getByRole('listitem').count()).toBe(5)
    await checkEveryView(page, 'sessions')
    await signedInNow
      .getByRole('button', { name: /^End session: .* on / })
      .first()
      .click()
    await page.getByRole('status').getByText('Session ended').first().waitFor()
    await signedInNow.getByText('3 sessions').waitFor()
    await signedInNow.getByRole('button', { name: /^End 2 sessions: .* on / }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('2 sessions are revoked').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'End all other sessions' }).click()
    await dialog.getByText('This session stays active.').waitFor()
    await picture(page, 'sessions-dialog')
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'End all other sessions' }).click()
    await page.getByText('2 sessions ended').first().waitFor()
    expect(await signedInNow.getByRole('listitem').count()).toBe(1)
    for (const other of others) {
      await other.goto(at('/account'))
      await heading(other, 'Sign in').waitFor()
    }
  })

  it('saves the profile, with a language that is chosen by its name', async () => {
    const page = await newPage()
    await registerByApi(page, newAddress())
    await page.goto(at('/account'))
    await page.getByRole('textbox', { name: 'First name' }).fill('Ada')
    const language = page.getByRole('combobox', { name: 'Language' })
    await language.fill('Austria')
    await page.getByRole('option', { name: 'German (Austria)' }).click()
    await page.getByText('2 unsaved changes').waitFor()
    await checkEveryView(page, 'profile-changed')
    await page.setViewportSize({ width: 375, height: 800 })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const toast = page.locator('.mantine-Notification-root', { hasText: /^Saved$/ })
    await toast.waitFor()
    // On a phone, over the whole width.
    await expect.poll(async () => Math.round((await toast.boundingBox())?.width ?? 0)).toBe(375 - 16)
    await page.reload()
    await page.getByRole('textbox', { name: 'First name' }).waitFor()
    expect(await page.getByRole('textbox', { name: 'First name' }).inputValue()).toBe('Ada')
    expect(await language.inputValue()).toBe('German (Austria)')
  })

  it('sends a link to a new email address from a dialog', async () => {
    const page = await newPage()
    await registerByApi(page, newAddress())
    await page.goto(at('/account'))
    await page.getByRole('button', { name: 'Change email' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change email' })
    await checkEveryView(page, 'change-email')
    const next = newAddress('next')
    await dialog.getByRole('textbox', { name: 'New email' }).fill(next)
    await page.keyboard.press('Enter')
    await page.getByText(`We sent a link to ${next}`).first().waitFor()
    await dialog.waitFor({ state: 'detached' })
    await mailedLink(service.outbox, next, '/confirm-email')
  })

  it('creates a team, opens it, and switches teams with the menu and the URL', async () => {
    const page = await newPage()
    await register(page, newAddress())
    const first = await currentTeam(page)
    const firstUrl = page.url()
    await page.goto(at('/account/teams'))
    // The form moves until the teams are there, and a click on a button that moves is lost.
    await page.getByRole('list').getByText(first).waitFor()
    const name = `Rockets ${Date.now()}`
    await page.getByText('You become its first super admin.').waitFor()
    await page.getByRole('textbox', { name: 'Team name' }).fill(name)
    await page.getByRole('button', { name: 'Create team' }).click()
    await teamSwitcher(page, name).waitFor()
    const teamUrl = page.url()
    await page.getByRole('button', { name: /^Switch team/ }).click()
    await picture(page, 'team-menu')
    await page.getByRole('menuitem', { name: first }).click()
    await teamSwitcher(page, first).waitFor()
    expect(page.url()).toBe(firstUrl)
    await page.goto(teamUrl)
    await teamSwitcher(page, name).waitFor()
    await page.goto(at('/account/teams'))
    await page.getByRole('listitem').filter({ hasText: name }).getByText('Super admin').waitFor()
    await page.getByRole('button', { name: `Set as default: ${name}` }).click()
    await page.getByText(`${name} is now your default team`).first().waitFor()
    await page.goto(at('/'))
    await teamSwitcher(page, name).waitFor()
  })

  it('sends each tab’s own team with its calls', async () => {
    const page = await newPage()
    await register(page, newAddress())
    const first = await currentTeam(page)
    await page.goto(at('/account/teams'))
    await page.getByRole('list').getByText(first).waitFor()
    await page.getByRole('textbox', { name: 'Team name' }).fill('Second team')
    await page.getByRole('button', { name: 'Create team' }).click()
    await teamSwitcher(page, 'Second team').waitFor()
    const asked: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.url().includes('/stats/active-sessions')) asked.push(request.headers()['x-org-id'])
    })
    await page.reload()
    await page.getByText('Active users').waitFor()
    await page.getByRole('button', { name: /^Switch team/ }).click()
    await page.getByRole('menuitem', { name: first }).click()
    await teamSwitcher(page, first).waitFor()
    await page.getByText('Active users').waitFor()
    await page.waitForTimeout(300)
    expect(new Set(asked).size).toBe(2)
    expect(asked).not.toContain(undefined)
  })

  it('asks before unsaved input is discarded', async () => {
    const page = await newPage()
    await registerByApi(page, newAddress())
    await page.goto(at('/account/teams'))
    await page.getByRole('textbox', { name: 'Team name' }).fill('half a na')
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.message())
      dialog.dismiss()
    })
    await page.getByRole('link', { name: 'Profile' }).click()
    await page.waitForTimeout(300)
    expect(asked).toHaveLength(1)
    expect(new URL(page.url()).pathname).toBe('/account/teams')
    expect(await page.getByRole('textbox', { name: 'Team name' }).inputValue()).toBe('half a na')
  })

  it('stores the color scheme in the browser and applies it at the first paint', async () => {
    const page = await newPage()
    await registerByApi(page, newAddress())
    await page.goto(at('/account'))
    // The last line of the check-up; until it is there, the choice moves.
    await page.getByText('1 active session').waitFor()
    await page.getByText('Dark', { exact: true }).click()
    await page.waitForFunction(() => document.documentElement.dataset.mantineColorScheme === 'dark')
    await page.goto(at('/account'), { waitUntil: 'commit' })
    await page.waitForFunction(() => document.body !== null)
    expect(await page.evaluate(() => document.documentElement.dataset.mantineColorScheme)).toBe('dark')
    await signedIn(page)
    await signOut(page)
  })

  it('exports the account data as a file after a recent sign-in', async () => {
    const email = newAddress()
    const page = await newPage()
    await registerByApi(page, email)
    await page.goto(at('/account'))
    let requests = 0
    await page.route('**/api/v1/auth/me/export', (route) => {
      requests += 1
      if (requests > 1) return route.continue()
      const body = JSON.stringify({ status: 403, code: 'reauthentication_required', title: 'Sign in again' })
      return route.fulfill({ status: 403, contentType: 'application/problem+json', body })
    })
    await page.getByRole('button', { name: 'Export my data' }).click()
    await field.password(page).fill(goodPassword)
    const downloaded = page.waitForEvent('download')
    await page.keyboard.press('Enter')
    const file = await downloaded
    expect(file.suggestedFilename()).toBe('keyward-account.json')
    const chunks: Buffer[] = []
    for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer)
    expect(JSON.parse(Buffer.concat(chunks).toString()).account.email).toBe(email)
    await page.getByText('Data exported').waitFor()
  })

  it('deletes the account after its email address is typed; a sign-in cancels the deletion', async () => {
    const email = newAddress()
    const page = await newPage()
    await registerByApi(page, email)
    await page.goto(at('/account'))
    await page.getByRole('button', { name: 'Delete account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
    await dialog.getByText('after 14 days').waitFor()
    await checkEveryView(page, 'delete-account')
    await dialog.getByRole('textbox').fill('another@example.com')
    await dialog.getByRole('button', { name: 'Delete account' }).click()
    await dialog.getByText('Type exactly').waitFor()
    await dialog.getByRole('textbox').fill(email)
    await page.keyboard.press('Enter')
    await page.getByText('Your account will be deleted').waitFor()
    await page.getByText('To cancel, sign in before then.').waitFor()
    await checkEveryView(page, 'account-deleted')
    await signInByForm(page, email)
    await page.getByText('your account will not be deleted').waitFor()
  })

  it('names the teams that need another owner instead of deleting the account', async () => {
    const [email, member] = [newAddress('owner'), newAddress('member')]
    const owner = await registerProgram(email)
    await owner.put(`/organizations/${owner.teamId}`, { name: 'Lighthouse' })
    await joinByInvitation(owner, await registerProgram(member), member)
    const page = await newPage()
    await signInByApi(page, email)
    await page.goto(at('/account'))
    await page.getByRole('button', { name: 'Delete account' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill(email)
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('You are the last owner of “Lighthouse”').waitFor()
    await checkEveryView(page, 'delete-account-last-owner')
  })

  it('lists the security events page by page, and equal ones in one row', async () => {
    const email = newAddress()
    const page = await newPage()
    await registerByApi(page, email)
    for (let count = 0; count < 2; count += 1)
      await page.request.post(at('/api/v1/auth/login'), { data: { email, password: 'not my password' } })
    for (let count = 0; count < 9; count += 1) await signInByApi(page, email)
    await page.goto(at('/account/security'))
    const events = page.locator('section', { has: page.getByRole('heading', { name: 'Recent security events' }) })
    await events.getByText('Signed in').first().waitFor()
    // A page of ten events: nine equal sign-ins in one row, and a failed one.
    await events.getByText('9 times').waitFor()
    expect(await events.getByRole('listitem').count()).toBe(2)
    await events.getByText('With a password').first().waitFor()
    await checkEveryView(page, 'security-events')
    await events.getByRole('button', { name: 'Next page' }).click()
    await events.getByText('By creating the account').waitFor()
    await events.getByText('11–').waitFor()
    await events.getByRole('button', { name: 'Previous page' }).click()
    await events.getByText('Failed', { exact: true }).first().waitFor()
    await events.getByText('Wrong password').first().waitFor()
  })

  it('marks suspicious security events', async () => {
    const page = await newPage()
    await registerByApi(page, newAddress())
    const event = {
      id: '0199aaaa-bbbb-7ccc-8ddd-eeeeffff0000',
      action: 'session.refresh_reused',
      result: 'SUCCESS',
      createdAt: new Date().toISOString(),
      actor: 'user',
      team: null,
      method: null,
      reason: null,
      country: 'AT',
      ipAddress: '192.0.2.1',
      device: 'Firefox on Linux',
    }
    await page.route('**/api/v1/auth/events?**', (route) =>
      route.fulfill({ json: { data: [event], total: 1, page: 1, limit: 10 } }),
    )
    await page.goto(at('/account/security'))
    const row = page.getByRole('listitem').filter({ hasText: 'Session ended: its token was used twice' })
    await row.getByText('Suspicious').waitFor()
    await row.getByText('Austria').waitFor()
    await checkEveryView(page, 'security-events-suspicious')
  })

  it('leaves a team after a confirmation, and explains why the last owner can’t', async () => {
    const [email, other] = [newAddress('owner'), newAddress('other')]
    const [owner, host] = [await registerProgram(email), await registerProgram(other)]
    await host.put(`/organizations/${host.teamId}`, { name: 'Harbor' })
    await owner.put(`/organizations/${owner.teamId}`, { name: 'Lighthouse' })
    await joinByInvitation(host, owner, email)
    await joinByInvitation(owner, host, other)
    const page = await newPage()
    await signInByApi(page, email, owner.teamId)
    await page.goto(at('/account/teams'))
    await page.getByRole('button', { name: 'Leave Harbor' }).click()
    const dialog = page.getByRole('dialog')
    await checkEveryView(page, 'leave-team')
    await dialog.getByRole('button', { name: 'Leave team' }).click()
    await page.getByText('You left Harbor').waitFor()
    await page.getByRole('button', { name: 'Leave Harbor' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Leave Lighthouse' }).click()
    await dialog.getByRole('button', { name: 'Leave team' }).click()
    await dialog.getByText('You are the last owner of Lighthouse').waitFor()
  })

  it('signs out a user who leaves the team of the session', async () => {
    const email = newAddress('member')
    const host = await registerProgram(newAddress('host'))
    await host.put(`/organizations/${host.teamId}`, { name: 'Harbor' })
    await joinByInvitation(host, await registerProgram(email), email)
    const page = await newPage()
    await signInByApi(page, email, host.teamId)
    await page.goto(at('/account/teams'))
    await page.getByRole('button', { name: 'Leave Harbor' }).click()
    await page.getByRole('dialog').getByText('You are signed out').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave team' }).click()
    await heading(page, 'You are signed out').waitFor()
    await signIn(page, email)
  })

  it('joins a team that accepts the domain of the email address', async () => {
    const email = newAddress('joiner')
    const host = await registerProgram(newAddress('host'))
    await host.put(`/organizations/${host.teamId}`, { name: 'Harbor', allowedDomains: ['example.com'] })
    const page = await newPage()
    await registerByApi(page, email)
    await page.goto(await mailedLink(service.outbox, email, '/verify-email'))
    await page.getByRole('button', { name: 'Verify email' }).click()
    await heading(page, 'Email verified').waitFor()
    // The service lists only teams with a DNS record, which it cannot look up here.
    const listed = { id: host.teamId, name: 'Harbor', slug: host.slug, logoUrl: null, primaryColor: null }
    await page.route('**/api/v1/organizations/joinable', (route) =>
      route.fulfill({ json: { data: [listed], total: 1, page: 1, limit: 50 } }),
    )
    await page.goto(at('/account/teams'))
    await page.getByRole('button', { name: 'Join Harbor' }).waitFor()
    await checkEveryView(page, 'joinable-teams')
    await page.unroute('**/api/v1/organizations/joinable')
    await page.getByRole('button', { name: 'Join Harbor' }).click()
    await page.getByText('You joined Harbor').waitFor()
    await page.getByRole('link', { name: 'Harbor' }).waitFor()
  })
})
