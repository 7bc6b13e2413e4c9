import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violations } from './axe'
import { at, cannotRun, newPage, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { goodPassword, newAddress, signInByApi } from './people'
import { createApplication, registerProgram } from './programs'

useBrowser()

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const textbox = (page: Page, name: string | RegExp) => page.getByRole('textbox', { name })

/** Opens one part of the token settings. */
const openPart = (page: Page, name: string) => page.getByRole('tab', { name }).click()

async function openTokens(name: string) {
  const email = newAddress('anna')
  const owner = await registerProgram(email)
  const client = await createApplication(owner, name)
  const page = await newPage()
  await signInByApi(page, email)
  await page.goto(at(`/t/${owner.slug}/applications/${client.id}/tokens`))
  await page.getByRole('heading', { name: 'Scopes' }).waitFor()
  return { page, email, owner, client }
}

/** Chooses an option of a select. */
async function choose(page: Page, label: string, option: string | RegExp) {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option }).click()
}

/** The row of a claim in the preview. */
const previewed = (page: Page, claim: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: claim, exact: true }) })

describe.skipIf(cannotRun)('token settings', () => {
  it('shows every part of unchanged settings', async () => {
    const { page } = await openTokens('Unchanged')
    await checkEveryView(page, 'tokens-scopes')
    await openPart(page, 'Claims')
    await page.getByText('No custom claims yet').waitFor()
    await checkEveryView(page, 'tokens-claims')
    await openPart(page, 'Signing keys')
    await page.getByText('The keys of the team sign its tokens.').waitFor()
    expect(page.url()).toContain('part=keys')
    await page.reload()
    await page.getByText('The keys of the team sign its tokens.').waitFor()
    await checkEveryView(page, 'tokens-keys')
  })

  it('creates a scope, a rule and a claim, and previews the result', { timeout: 120_000 }, async () => {
    const { page, email } = await openTokens('Claims')
    const name = email.split('@')[0] ?? ''

    await button(page, 'Add scope').click()
    await textbox(page, 'Name').fill('orders read')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await page.getByText('Use letters, digits and symbols, without spaces').waitFor()
    await textbox(page, 'Name').fill('openid')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await page.getByText('A scope with this name already exists').waitFor()
    await textbox(page, 'Name').fill('orders:read')
    await textbox(page, /^Description/).fill('See your orders')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    await page.getByText('See your orders').waitFor()

    await openPart(page, 'Rules')
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
    await textbox(page, 'Sample value').fill(email)
    await dialog(page).getByText('The pattern matches.').waitFor()
    await dialog(page).getByText(name, { exact: true }).waitFor()
    await checkEveryView(page, 'tokens-rule')
    await textbox(page, 'Sample value').fill('no address')
    await dialog(page).getByText('The pattern doesn’t match').waitFor()
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    await page.getByText('Not used', { exact: true }).waitFor()

    await openPart(page, 'Claims')
    await button(page, 'Add claim').click()
    await textbox(page, 'Claim name').fill('sub')
    await dialog(page)
      .getByRole('checkbox', { name: /^Access token/ })
      .check()
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
    await textbox(page, 'Claim name').fill('login')
    await choose(page, 'Attribute', /^email:/)
    await choose(page, 'Rule', 'Part before the @')
    await checkEveryView(page, 'tokens-claim')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await dialog(page).waitFor({ state: 'detached' })

    // The preview updates with each change.
    await previewed(page, 'login').getByText(name, { exact: true }).waitFor()
    await previewed(page, 'login').getByText(`applied to ${email}`).waitFor()
    await previewed(page, 'email').getByText('Scope email').waitFor()
    await page.getByText('Access token', { exact: true }).last().click()
    await previewed(page, 'login').waitFor()
    await previewed(page, 'email').waitFor({ state: 'detached' })
    await openPart(page, 'Rules')
    await page.getByText('Used by login').waitFor()
    expect(await button(page, 'Remove Part before the @').count()).toBe(0)
    await checkEveryView(page, 'tokens')

    await openPart(page, 'Claims')
    await button(page, 'Remove login').click()
    await dialog(page).getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('No custom claims yet').waitFor()
    await previewed(page, 'login').waitFor({ state: 'detached' })
    await openPart(page, 'Rules')
    await button(page, 'Remove Part before the @').click()
    await dialog(page).getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('No rules yet.').waitFor()
  })

  it('previews the tokens of users found by name', async () => {
    const { page, owner } = await openTokens('For another user')
    const other = newAddress('berta')
    await owner.post('/users', { email: other, firstName: 'Berta', lastName: 'Busch' })
    await page.getByRole('searchbox', { name: 'Search users' }).fill('berta bu')
    await page.getByText('Berta Busch').click()
    // The name of a user who was only added is not confirmed yet, but the user is the subject.
    await previewed(page, 'sub').waitFor()
    await page.getByRole('searchbox', { name: 'Search users' }).fill('no such user')
    await page.getByText('No users found.').waitFor()
    expect(await page.getByRole('radio', { name: 'Berta Busch' }).isChecked()).toBe(true)
    expect(await violations(page)).toEqual([])
  })

  it('generates, activates, retires and unpublishes signing keys', { timeout: 120_000 }, async () => {
    const { page, client } = await openTokens('Keys')
    const published = async () => {
      const answer = (await (await fetch(`${client.issuer}/jwks`)).json()) as { keys: { kid: string; alg: string }[] }
      return answer.keys.filter(({ alg }) => alg === 'ES256').map(({ kid }) => kid)
    }
    await openPart(page, 'Signing keys')
    await button(page, 'Generate key').click()
    await choose(page, 'Algorithm', /^ES256/)
    await checkEveryView(page, 'tokens-key')
    await dialog(page).getByRole('button', { name: 'Generate key' }).click()
    await page.getByText('Published, not used').waitFor()
    const [kid = ''] = await published()
    await page.getByText(kid, { exact: true }).waitFor()

    await button(page, `Use for signing: ${kid}`).click()
    await page.getByText('Signs ID tokens').waitFor()
    await page.getByText('Signs access tokens').waitFor()
    await button(page, `Remove ${kid}`).click()
    await dialog(page).getByText('stays published until').waitFor()
    await dialog(page).getByRole('button', { name: 'Remove key' }).click()
    await page.getByText('Verifies until').waitFor()
    await checkEveryView(page, 'tokens-key-retired')
    expect(await published()).toEqual([kid])

    // A leaked key is unpublished at once.
    await button(page, 'Generate key').click()
    await choose(page, 'Algorithm', /^ES256/)
    await dialog(page).getByRole('checkbox', { name: 'Sign tokens with this key now' }).check()
    await dialog(page).getByRole('button', { name: 'Generate key' }).click()
    await page.getByText('Signs ID tokens').waitFor()
    const leaked = (await published()).find((one) => one !== kid) ?? ''
    await button(page, `Remove ${leaked}`).click()
    await dialog(page).getByRole('checkbox', { name: 'The key leaked: unpublish it at once' }).check()
    await dialog(page).getByText('is rejected from now on').waitFor()
    await checkEveryView(page, 'tokens-key-leaked')
    await dialog(page).getByRole('button', { name: 'Unpublish key' }).click()
    await page.getByText(leaked, { exact: true }).waitFor({ state: 'detached' })
    expect(await published()).toEqual([kid])
  })

  it('asks for the password before it generates a key if the sign-in is old', async () => {
    const { page } = await openTokens('Proof')
    let old = true
    // The response of the service to an old sign-in.
    await page.route('**/signing-keys/generate', (route) =>
      old
        ? route.fulfill({
            status: 403,
            contentType: 'application/problem+json',
            body: JSON.stringify({ code: 'reauthentication_required', status: 403, title: 'Sign in again' }),
          })
        : route.fallback(),
    )
    await openPart(page, 'Signing keys')
    await button(page, 'Generate key').click()
    await dialog(page).getByRole('button', { name: 'Generate key' }).click()
    const proof = page.getByRole('dialog', { name: 'Confirm your identity' })
    await proof.getByRole('textbox', { name: 'Password' }).fill(goodPassword)
    old = false
    await proof.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('Published, not used').waitFor()
  })

  it('saves lifetimes in common units and warns about long ones', async () => {
    const { page, owner, client } = await openTokens('Short-lived')
    await openPart(page, 'Lifetimes')
    const access = textbox(page, 'Access tokens')
    expect(await access.inputValue()).toBe('1 h')
    expect(await button(page, 'Save').count()).toBe(0)
    await access.fill('25 h')
    await page.getByText('90,000 seconds').waitFor()
    await page.getByText('valid for more than a day').waitFor()
    await checkEveryView(page, 'tokens-lifetimes')
    await access.fill('10 s')
    await button(page, 'Save').click()
    await page.getByText('Enter a duration from 1 min to 365 d.').waitFor()
    await access.fill('15 min')
    expect(await page.getByText('valid for more than a day').count()).toBe(0)
    await page.getByRole('checkbox', { name: 'Refresh token rotation' }).uncheck()
    await button(page, 'Save').click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Lifetimes' }).waitFor()
    expect(await access.inputValue()).toBe('15 min')
    expect(await page.getByRole('checkbox', { name: 'Refresh token rotation' }).isChecked()).toBe(false)
    const policy = await owner.put(`/applications/${client.id}/oidc-config/token-policy`, {})
    expect(policy).toMatchObject({ accessTokenLifetime: 900, rotationEnabled: false, idTokenLifetime: 3600 })
  })

  it('shows the settings read-only without the permission to change them', async () => {
    const { page } = await openTokens('Read-only')
    let missing = 'oidc-config:write'
    await page.route('**/api/v1/auth/me', async (route) => {
      const answer = await route.fetch()
      const me = (await answer.json()) as { permissions: string[] }
      const permissions = me.permissions.filter((permission) => permission !== missing)
      await route.fulfill({ response: answer, json: { ...me, permissions } })
    })
    await page.reload()
    await page.getByText('You can view token settings but not change them.').waitFor()
    expect(await page.getByRole('button', { name: /^(Add|Edit|Remove|Generate|Save)/ }).count()).toBe(0)
    await openPart(page, 'Lifetimes')
    expect(await textbox(page, 'Access tokens').isDisabled()).toBe(true)
    expect(await violations(page)).toEqual([])
    missing = 'oidc-config:read'
    await page.reload()
    // Below the heading of the application.
    await page.getByRole('heading', { name: 'No access', level: 2 }).waitFor()
    expect(await page.getByRole('link', { name: 'Tokens', exact: true }).count()).toBe(0)
  })
})
