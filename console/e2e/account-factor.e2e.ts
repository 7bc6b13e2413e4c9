import { describe, it } from 'vitest'
import { at, cannotRun, newPage, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { newAddress, signedIn, signInByApi } from './people'
import { joinByInvitation, protect, registerProgram } from './programs'

useBrowser()

describe.skipIf(cannotRun)('a session in a team that has reset the factors of the user', () => {
  it('shows on the devices page that it needs a factor of the account', { timeout: 60_000 }, async () => {
    const owner = await registerProgram(newAddress('owner'))
    const email = newAddress('user')
    const user = await registerProgram(email)
    await joinByInvitation(owner, user, email)
    await protect(user)
    const me = (await user.get('/auth/me')) as { user: { id: string } }
    await owner.post(`/users/${me.user.id}/mfa/reset`, {})
    const page = await newPage()
    await signInByApi(page, email, owner.teamId)
    await page.goto(at('/account/sessions'))
    await signedIn(page)
    // Once for the sessions and once for the remembered devices.
    await page.getByText('This needs a second factor of your account.').nth(1).waitFor()
    await checkEveryView(page, 'sessions-without-account-factor')
  })
})
