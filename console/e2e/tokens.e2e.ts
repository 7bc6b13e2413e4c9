import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violations } from './axe'
import { at, cannotRun, newPage, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { goodPassword, heading, newAddress, signInByApi } from './people'
import { createApplication, registerProgram } from './programs'

useBrowser()

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const textbox = (page: Page, name: string | RegExp) => page.getByRole('textbox', { name })

async function openTokens(name: string) {
  const email = newAddress('anna')
  const owner = await registerProgram(email)
  const client = await createApplication(owner, name)
  const page = await newPage()
  await signInByApi(page, email)
  await page.goto(at(`/t/${owner.slug}/applications/${client.id}/tokens`))
  await page.getByRole('heading', { name: 'Lifetimes' }).waitFor()
  return { page, email, owner, client }
}

/** The row of the preview that tells of a claim. */
const previewed = (page: Page, claim: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: claim, exact: true }) })

describe.skipIf(cannotRun)('the tokens of an application', () => {
  it('need no change at first, and the page says so', async () => {
    const { page } = await openTokens('Untouched')
    await page.getByText('Change nothing yet').waitFor()
    await page.getByText('No claims of your own').waitFor()
    await page.getByText('the keys of the team sign').waitFor()
    await checkEveryView(page, 'tokens-untouched')
  })

  it('get a scope, a rule and a claim, and the preview shows what comes of them', { timeout: 120_000 }, async () => {
    const { page, email } = await openTokens('Claims')
    const name = email.split('@')[0] ?? ''

    await button(page, 'Add scope').click()
    await textbox(page, 'Name').fill('orders read')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await page.getByText('Use letters, digits and signs without spaces').waitFor()
    await textbox(page, 'Name').fill('openid')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await page.getByText('A scope with this name already exists').waitFor()
    await textbox(page, 'Name').fill('orders:read')
    await textbox(page, /^Description/).fill('See your orders')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    await page.getByText('See your orders').waitFor()
    expect(await page.getByText('Change nothing yet').count()).toBe(0)

    await button(page, 'Add rule').click()
    await textbox(page, 'Name').fill('Part before the @')
    const pattern = textbox(page, 'Pattern')
    await pattern.fill('(@')
    await page.getByText('The pattern is not a regular expression').waitFor()
    await pattern.fill('a(?=b)')
    await page.getByText('The pattern lookahead and lookbehind are not supported').waitFor()
    await page.getByText('See character 2:').waitFor()
    await checkEveryView(page, 'tokens-rule-fault')
    await pattern.fill('^([^@]+)@.*$')
    await textbox(page, 'Replacement').fill('$1')
    await textbox(page, 'A value').fill(email)
    await dialog(page).getByText('The pattern matches.').waitFor()
    await dialog(page).getByText(name, { exact: true }).waitFor()
    await checkEveryView(page, 'tokens-rule')
    await textbox(page, 'A value').fill('no address')
    await dialog(page).getByText('The pattern does not match').waitFor()
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    await page.getByText('Not used yet').waitFor()

    await button(page, 'Add claim').click()
    await textbox(page, 'Name in the token').fill('sub')
    await dialog(page)
      .getByRole('checkbox', { name: /^Access token/ })
      .check()
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
    await textbox(page, 'Name in the token').fill('login')
    await page.getByRole('combobox', { name: 'Taken from' }).selectOption('email')
    await page.getByRole('combobox', { name: 'Rule' }).selectOption({ label: 'Part before the @' })
    await checkEveryView(page, 'tokens-claim')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await dialog(page).waitFor({ state: 'detached' })

    // The preview beside it follows by itself.
    await previewed(page, 'login').getByText(name, { exact: true }).waitFor()
    await previewed(page, 'login').getByText(`made it of ${email}`).waitFor()
    await previewed(page, 'email').getByText('By the scope email').waitFor()
    await page.getByText('Access token', { exact: true }).last().click()
    await previewed(page, 'login').waitFor()
    await previewed(page, 'email').waitFor({ state: 'detached' })
    await page.getByText('Used by login').waitFor()
    expect(await button(page, 'Remove Part before the @').count()).toBe(0)
    await checkEveryView(page, 'tokens')

    await button(page, 'Remove login').click()
    await dialog(page).getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('No claims of your own').waitFor()
    await previewed(page, 'login').waitFor({ state: 'detached' })
    await button(page, 'Remove Part before the @').click()
    await dialog(page).getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('No rules.').waitFor()
  })

  it('are previewed for anybody of the team who is found by name', async () => {
    const { page, owner } = await openTokens('For somebody else')
    const other = newAddress('berta')
    await owner.post('/users', { email: other, firstName: 'Berta', lastName: 'Busch' })
    await page.getByRole('searchbox', { name: 'Find somebody else' }).fill('berta bu')
    await page.getByText('Berta Busch').click()
    // Whom the team has merely added has not answered for their name yet, but is the subject all the same.
    await previewed(page, 'sub').waitFor()
    await page.getByRole('searchbox', { name: 'Find somebody else' }).fill('nobody of that name')
    await page.getByText('Nobody of this team matches.').waitFor()
    expect(await page.getByRole('radio', { name: 'Berta Busch' }).isChecked()).toBe(true)
    expect(await violations(page)).toEqual([])
  })

  it('are signed by keys of the application’s own, made and taken away here', { timeout: 120_000 }, async () => {
    const { page, client } = await openTokens('Keys')
    const published = async () => {
      const answer = (await (await fetch(`${client.issuer}/jwks`)).json()) as { keys: { kid: string; alg: string }[] }
      return answer.keys.filter(({ alg }) => alg === 'ES256').map(({ kid }) => kid)
    }
    await button(page, 'Make a key').click()
    await page.getByRole('combobox', { name: 'Algorithm' }).selectOption('ES256')
    await checkEveryView(page, 'tokens-key')
    await dialog(page).getByRole('button', { name: 'Make key' }).click()
    await page.getByText('Published, signs nothing').waitFor()
    const [kid = ''] = await published()
    await page.getByText(kid, { exact: true }).waitFor()

    await button(page, `Sign with it: ${kid}`).click()
    await page.getByText('Signs ID tokens').waitFor()
    await page.getByText('Signs access tokens').waitFor()
    await button(page, `Remove ${kid}`).click()
    await dialog(page).getByText('It stays published until').waitFor()
    await dialog(page).getByRole('button', { name: 'Remove key' }).click()
    await page.getByText('Verifies until').waitFor()
    await checkEveryView(page, 'tokens-key-retired')
    expect(await published()).toEqual([kid])

    // For one that leaked, a choice that says what it costs.
    await button(page, 'Make a key').click()
    await page.getByRole('combobox', { name: 'Algorithm' }).selectOption('ES256')
    await dialog(page)
      .getByRole('checkbox', { name: /^Tokens of this application/ })
      .check()
    await dialog(page).getByRole('button', { name: 'Make key' }).click()
    await page.getByText('Signs ID tokens').waitFor()
    const leaked = (await published()).find((one) => one !== kid) ?? ''
    await button(page, `Remove ${leaked}`).click()
    await dialog(page).getByRole('checkbox', { name: 'It leaked: take it out at once' }).check()
    await dialog(page).getByText('is refused from now on').waitFor()
    await checkEveryView(page, 'tokens-key-leaked')
    await dialog(page).getByRole('button', { name: 'Take it out at once' }).click()
    await page.getByText(leaked, { exact: true }).waitFor({ state: 'detached' })
    expect(await published()).toEqual([kid])
  })

  it('are given new keys only by somebody who proves who they are, where the sign-in is old', async () => {
    const { page } = await openTokens('Proof')
    let old = true
    // As the service answers when the sign-in is older than it may be.
    await page.route('**/signing-keys/generate', (route) =>
      old
        ? route.fulfill({
            status: 403,
            contentType: 'application/problem+json',
            body: JSON.stringify({ code: 'reauthentication_required', status: 403, title: 'Sign in again' }),
          })
        : route.fallback(),
    )
    await button(page, 'Make a key').click()
    await dialog(page).getByRole('button', { name: 'Make key' }).click()
    const proof = page.getByRole('dialog', { name: 'Confirm your identity' })
    await proof.getByRole('textbox', { name: 'Password' }).fill(goodPassword)
    old = false
    await proof.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('Published, signs nothing').waitFor()
  })

  it('live as long as is written, in words people use, with a warning where that is long', async () => {
    const { page, owner, client } = await openTokens('Short-lived')
    const access = textbox(page, 'Access tokens')
    expect(await access.inputValue()).toBe('1 h')
    expect(await button(page, 'Save').getAttribute('aria-disabled')).toBe('true')
    await access.fill('25 h')
    await page.getByText('90,000 seconds').waitFor()
    await page.getByText('good for more than a day').waitFor()
    await checkEveryView(page, 'tokens-lifetimes')
    await access.fill('10 s')
    await button(page, 'Save').click()
    await page.getByText('Between 1 min and 365 d.').waitFor()
    await access.fill('15 min')
    expect(await page.getByText('good for more than a day').count()).toBe(0)
    await page.getByRole('checkbox', { name: /^A new refresh token/ }).uncheck()
    await button(page, 'Save').click()
    await page.getByText('Saved').first().waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Lifetimes' }).waitFor()
    expect(await access.inputValue()).toBe('15 min')
    expect(await page.getByRole('checkbox', { name: /^A new refresh token/ }).isChecked()).toBe(false)
    const policy = await owner.put(`/applications/${client.id}/oidc-config/token-policy`, {})
    expect(policy).toMatchObject({ accessTokenLifetime: 900, rotationEnabled: false, idTokenLifetime: 3600 })
  })

  it('can be looked at, and no more, by whoever may not change them', async () => {
    const { page } = await openTokens('Look only')
    let missing = 'oidc-config:write'
    await page.route('**/api/v1/auth/me', async (route) => {
      const answer = await route.fetch()
      const me = (await answer.json()) as { permissions: string[] }
      const permissions = me.permissions.filter((permission) => permission !== missing)
      await route.fulfill({ response: answer, json: { ...me, permissions } })
    })
    await page.reload()
    await page.getByText('Your role may look at what is in the tokens').waitFor()
    expect(await page.getByRole('button', { name: /^(Add|Edit|Remove|Make a key|Save)/ }).count()).toBe(0)
    expect(await textbox(page, 'Access tokens').isDisabled()).toBe(true)
    expect(await violations(page)).toEqual([])
    missing = 'oidc-config:read'
    await page.reload()
    await heading(page, 'Not for your role').waitFor()
    expect(await page.getByRole('link', { name: 'Tokens', exact: true }).count()).toBe(0)
  })
})
