import { describe, it } from 'vitest'
import { at, cannotRun, newPage, service, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { mailedLink } from './mails'
import { fillSignIn, heading, newAddress, registerByApi, signedIn, signOut } from './people'
import { registerProgram } from './programs'

useBrowser()

describe.skipIf(cannotRun)('waiting teams', () => {
  it('shows the teams that added the user after the sign-in and in the account, to join or block them', async () => {
    const email = newAddress('wanted')
    const page = await newPage()
    await registerByApi(page, email)
    await page.goto(await mailedLink(service.outbox, email, '/verify-email'))
    await page.getByRole('button', { name: 'Verify email' }).click()
    await heading(page, 'Email verified').waitFor()
    for (const name of ['Lighthouse', 'A-team-with-an-uncommonly-long-name-without-any-spaces']) {
      const owner = await registerProgram(newAddress('owner'))
      await owner.put(`/organizations/${owner.teamId}`, { name })
      await owner.post('/users', { email })
    }
    await page.goto(at('/account'))
    await page.getByText('2 teams added you').waitFor()
    await signOut(page)

    await page.goto(at('/login'))
    await fillSignIn(page, email)
    await heading(page, 'Teams').waitFor()
    await page.getByText('Not verified').first().waitFor()
    await checkEveryView(page, 'waiting-teams')
    await page.getByRole('button', { name: 'Join team: Lighthouse' }).click()
    await page.getByText('You joined Lighthouse').first().waitFor()
    await page.getByRole('link', { name: 'Lighthouse' }).waitFor()
    await page.getByRole('button', { name: /^Block team: A-team/ }).click()
    await heading(page, 'Teams').waitFor()
    await page.getByRole('heading', { name: 'Blocked teams' }).waitFor()
    await page.getByRole('heading', { name: 'Teams that added you' }).waitFor({ state: 'detached' })
    await checkEveryView(page, 'blocked-teams')
    await page.getByRole('button', { name: /^Unblock team: A-team/ }).click()
    await page.getByRole('heading', { name: 'Teams that added you' }).waitFor()

    // Shown once: the next sign-in opens the usual page.
    await signOut(page)
    await page.goto(at('/login'))
    await fillSignIn(page, email)
    await signedIn(page)
    await page.waitForURL((url) => !url.pathname.startsWith('/account/teams') && !url.pathname.startsWith('/login'))
  })
})
