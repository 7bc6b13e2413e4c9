import { describe, it } from 'vitest'
import { at, cannotRun, newPage, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { codeField } from './factor-pages'
import { newAddress, signedIn, signInByApi } from './people'
import { joinByInvitation, protect, registerProgram } from './programs'

useBrowser()

describe.skipIf(cannotRun)('sessions in a team that has reset the user’s factors', () => {
  it('shows the sessions after verification with a factor of the account', { timeout: 60_000 }, async () => {
    const owner = await registerProgram(newAddress('owner'))
    const email = newAddress('user')
    const user = await registerProgram(email)
    await joinByInvitation(owner, user, email)
    const { app } = await protect(user)
    const me = (await user.get('/auth/me')) as { user: { id: string } }
    await owner.post(`/users/${me.user.id}/mfa/reset`, {})
    const page = await newPage()
    await signInByApi(page, email, owner.teamId)
    await page.goto(at('/account/sessions'))
    await signedIn(page)
    const use = page.getByRole('button', { name: 'Verify' })
    await use.waitFor()
    await checkEveryView(page, 'sessions-without-account-factor')
    await use.click()
    await codeField(page).fill(await app.code(3))
    await page.getByRole('dialog').getByRole('button', { name: 'Verify' }).click()
    await page.getByText('This device', { exact: true }).first().waitFor()
    await page.getByText('Remembered device', { exact: true }).waitFor()
  })
})
