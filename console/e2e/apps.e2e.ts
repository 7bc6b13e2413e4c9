import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, cannotRun, newPage, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { consentTo, fillSignIn, newAddress, signIn, signInByApi } from './people'
import { createApplication, registerProgram } from './programs'
import { type Client, type RelyingParty, startRelyingParty } from './relying-party'

const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange'

/** Exchanges the token that the agent received. @returns the status of the response */
async function handOver({ issuer, clientId, clientSecret }: Client, token: string): Promise<number> {
  const { status } = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({
      grant_type: tokenExchange,
      subject_token: token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    }),
  })
  return status
}

useBrowser()

describe.skipIf(cannotRun)('the applications of an account', () => {
  let shop: RelyingParty
  beforeAll(async () => {
    shop = await startRelyingParty()
  })
  afterAll(() => shop?.stop())

  it('describes the empty lists', async () => {
    const page = await newPage()
    const email = newAddress()
    await registerProgram(email)
    await signIn(page, email)
    await page.getByRole('button', { name: /^Account of / }).click()
    await page.getByRole('menuitem', { name: 'Profile' }).click()
    // The team has a link with the same name; wait until only the account's link exists.
    await page.waitForURL('**/account')
    await page.getByRole('link', { name: 'Security', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Connected apps', exact: true }).click()
    await page.getByText('You haven’t granted access to any application').waitFor()
    await checkEveryView(page, 'apps-empty')
    await page.goto(at('/home'))
    await page.getByText('No applications yet').waitFor()
    await checkEveryView(page, 'home-empty')
  })

  it('opens applications and removes access to the account', async () => {
    const page = await newPage()
    const email = newAddress()
    const owner = await registerProgram(email)
    const client = await createApplication(owner, 'The Shop', {
      redirectUris: [shop.redirectUri],
      launchUrl: shop.redirectUri,
    })
    await createApplication(owner, 'Elsewhere')
    await page.goto(shop.signIn(client, { scope: 'openid email offline_access' }))
    await fillSignIn(page, email)
    await consentTo(page, 'The Shop').waitFor()
    await page.getByText('You can remove access at any time in Connected apps').waitFor()
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(`${shop.redirectUri}?**`)
    await shop.redeem(client, page.url())

    await page.goto(at('/account/apps'))
    const removal = page.getByRole('button', { name: 'Remove access of The Shop' })
    await removal.waitFor()
    await page.getByText('Access while you’re away').first().waitFor()
    await page.getByText('3 permissions').click()
    await page.getByText('Your email address').waitFor()
    await checkEveryView(page, 'apps')

    await page.goto(at('/home'))
    await page.getByRole('heading', { name: 'Recently used' }).waitFor()
    await page.getByText('Open it from its own website').waitFor()
    await checkEveryView(page, 'home')
    await page.getByRole('link', { name: 'The Shop' }).first().click()
    await page.waitForURL(shop.redirectUri)
    await page.goto(at('/account/apps'))
    await removal.click()
    const dialog = page.getByRole('dialog', { name: 'Remove access of The Shop?' })
    await dialog.getByText('immediately').waitFor()
    expect(await dialog.getByRole('button', { name: 'Cancel' }).evaluate((one) => one === document.activeElement)).toBe(
      true,
    )
    await checkEveryView(page, 'apps-remove')
    await dialog.getByRole('button', { name: 'Remove access' }).click()
    await page.getByText('Access of The Shop removed').first().waitFor()
    await page.getByText('You haven’t granted access to any application').waitFor()

    // The application requires consent again.
    await page.goto(shop.signIn(client))
    await consentTo(page, 'The Shop').waitFor()
  })

  it('counts all applications while the user searches one', async () => {
    const page = await newPage()
    const email = newAddress()
    const owner = await registerProgram(email)
    for (const name of ['Atlas', 'Billing', 'Calendar', 'Desk', 'Expenses'])
      await createApplication(owner, name, { redirectUris: [shop.redirectUri] })
    await signInByApi(page, email)
    await page.goto(at('/home'))
    await page.getByRole('searchbox', { name: 'Search applications' }).fill('billing')
    await page.getByText('Calendar').waitFor({ state: 'detached' })
    await page.getByText('Billing', { exact: true }).waitFor()
    await page.getByRole('heading', { name: 'All applications 5' }).waitFor()
  })

  it('grants access again to agents without a sign-in of their own', async () => {
    const page = await newPage()
    const email = newAddress()
    const owner = await registerProgram(email)
    const client = await createApplication(owner, 'The Shop', { redirectUris: [shop.redirectUri] })
    const agent = await createApplication(owner, 'The Robot', {
      isAiAgent: true,
      grantTypes: [tokenExchange],
      responseTypes: [],
    })
    await page.goto(shop.signIn(client))
    await fillSignIn(page, email)
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(`${shop.redirectUri}?**`)
    const { access_token: token = '' } = await shop.redeem(client, page.url())
    expect(await handOver(agent, token)).toBe(200)

    await page.goto(at('/account/apps'))
    await page.getByRole('button', { name: 'Remove access of The Robot' }).click()
    await page.getByRole('dialog').getByText('until you allow it again').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove access' }).click()
    await page.getByRole('heading', { name: 'Blocked agents' }).waitFor()
    expect(await handOver(agent, token)).toBe(400)
    await checkEveryView(page, 'apps-taken-back')

    await page.getByRole('button', { name: 'Allow again: The Robot' }).click()
    await page.getByRole('dialog').getByText('Earlier access stays revoked').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Allow again' }).click()
    await page.getByText('The Robot can act on your behalf again').first().waitFor()
    await page.getByRole('button', { name: 'Remove access of The Robot' }).waitFor()
    await page.getByText('No permissions of its own').waitFor()
    await checkEveryView(page, 'apps-allowed-again')
    expect(await handOver(agent, token)).toBe(200)
  })

  it('searches many applications by name', async () => {
    const page = await newPage()
    const email = newAddress()
    const owner = await registerProgram(email)
    for (let n = 0; n < 9; n += 1) await createApplication(owner, `Program ${n}`)
    await signInByApi(page, email)
    await page.goto(at('/home'))
    const find = page.getByRole('searchbox', { name: 'Search applications' })
    await find.fill('gram 7')
    await page.getByText('Program 3').waitFor({ state: 'detached' })
    await page.getByText('Program 7').waitFor()
    await find.fill('nothing of that kind')
    await page.getByText('No applications match “nothing of that kind”.').waitFor()
    await page.getByRole('button', { name: 'Clear search' }).click()
    await page.getByText('Program 3').waitFor()
  })
})
