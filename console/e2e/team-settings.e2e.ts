import { beforeAll, describe, expect, it } from 'vitest'
import { at, cannotRun, newPage, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { pressOn } from './keyboard'
import { heading, newAddress, signedIn, signInByApi } from './people'
import { joinByInvitation, type Program, registerProgram } from './programs'

useBrowser()

describe.skipIf(cannotRun)('the settings of a team', () => {
  const [admin, member] = [newAddress('settings'), newAddress('settings-member')]
  let owner: Program

  const open = async (path: string, email = admin) => {
    const page = await newPage()
    await signInByApi(page, email, owner.teamId)
    await page.goto(at(`/t/${owner.slug}${path}`))
    await signedIn(page)
    return page
  }

  beforeAll(async () => {
    owner = await registerProgram(admin)
    await joinByInvitation(owner, await registerProgram(member), member)
  })

  it('changes the name, color, domains and limits, and moves to the new URL name', async () => {
    const page = await open('')
    await page.getByRole('link', { name: 'Team', exact: true }).click()
    await heading(page, 'Team settings').waitFor()
    await checkEveryView(page, 'team-settings')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Acme')
    await page.getByText('1 unsaved change').waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByText('1 unsaved change').waitFor({ state: 'detached' })
    expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).not.toBe('Acme')
    const slug = `acme-${Date.now()}`
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Acme')
    await page.getByRole('textbox', { name: 'URL name' }).fill('Not a slug')
    await pressOn(page, page.getByRole('button', { name: 'Save' }))
    await page.getByText('Use lowercase letters, digits and hyphens, at most 63.').waitFor()
    await page.getByRole('textbox', { name: 'URL name' }).fill(slug)
    await page.getByRole('textbox', { name: 'Color' }).fill('#2f6feb')
    await page.getByRole('combobox', { name: 'Email domains that may join' }).fill('acme.example')
    await page.getByRole('textbox', { name: 'Maximum session length (days)' }).fill('7')
    await checkEveryView(page, 'team-settings-changed')
    await pressOn(page, page.getByRole('button', { name: 'Save' }))
    await page.getByText('Saved', { exact: true }).first().waitFor()
    await page.waitForURL(`**/t/${slug}/settings`)
    owner.slug = slug
    await page.getByText('acme.example').waitFor()
    const saved = await owner.get(`/organizations/${owner.teamId}`)
    expect(saved).toMatchObject({
      name: 'Acme',
      primaryColor: '#2f6feb',
      allowedDomains: ['acme.example'],
      sessionMaxLifetimeDays: 7,
    })
  })

  it('shows a member the settings without a way to change or delete them', async () => {
    const page = await open('/settings', member)
    await page.getByText('Only owners and administrators can change these settings.').waitFor()
    expect(await page.getByRole('textbox', { name: 'Name', exact: true }).isEditable()).toBe(false)
    expect(await page.getByRole('button', { name: 'Delete team' }).count()).toBe(0)
    await page.getByRole('button', { name: /^Leave/ }).waitFor()
    await checkEveryView(page, 'team-settings-member')
  })

  it('deletes another team of the user after its name was typed', async () => {
    const page = await newPage()
    const email = newAddress('two-teams')
    const session = await registerProgram(email)
    const team = (await session.post('/organizations', { name: 'Short-lived' })) as { slug: string }
    await signInByApi(page, email, session.teamId)
    await page.goto(at(`/t/${team.slug}/settings`))
    await page.getByRole('button', { name: 'Delete team' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete Short-lived?' })
    await dialog.getByRole('button', { name: 'Delete team' }).click()
    await dialog.getByText('Short-lived').last().waitFor()
    await checkEveryView(page, 'team-delete')
    await dialog.getByRole('textbox').fill('Short-lived')
    await dialog.getByRole('button', { name: 'Delete team' }).click()
    await page.getByText('Short-lived was deleted').waitFor()
    await page.waitForURL('**/account/teams')
    await page.getByRole('link', { name: 'Short-lived' }).waitFor({ state: 'detached' })
  })

  it('checks a CSV file, reports the rows that fail, and imports the others', async () => {
    const page = await open('/users')
    const [ada, eve] = [newAddress('ada'), newAddress('eve')]
    await page.getByRole('link', { name: 'Import CSV' }).click()
    await heading(page, 'Import users').waitFor()
    await pressOn(page, page.getByRole('button', { name: 'Check file' }))
    await page.getByText('Choose a file.').waitFor()
    await checkEveryView(page, 'import')
    const choose = async (text: string) => {
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'CSV file' }).click()
      await (await chooser).setFiles({ name: 'users.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
      await page.getByRole('button', { name: 'Check file' }).click()
    }
    await choose(`email,shoe size\r\n${ada},42\r\n`)
    await page.getByText(/shoe size/).waitFor()
    await choose(`email,firstName,role\r\n${ada},Ada,member\r\n${eve},Eve,emperor\r\n`)
    await page.getByText('Nothing has been changed yet.').waitFor()
    await page.getByRole('region', { name: 'Rows that failed' }).getByText(eve).waitFor()
    await checkEveryView(page, 'import-checked')
    expect(((await owner.get(`/users?search=${encodeURIComponent(ada)}`)) as { total: number }).total).toBe(0)
    await pressOn(page, page.getByRole('button', { name: 'Import 1 row' }))
    await page.getByText('3. Import').waitFor()
    await page.getByRole('status').getByText('Completed').waitFor()
    await page.getByRole('row', { name: 'Import Completed' }).waitFor()
    await page.getByRole('link', { name: 'Users', exact: true }).first().click()
    await page.getByRole('rowheader', { name: 'Ada' }).waitFor()
  })

  it('rejects a member, who may not import users', async () => {
    const page = await open('/users/import', member)
    await page.getByText('You don’t have permission to import users.').waitFor()
    expect(await page.getByRole('button', { name: 'Check file' }).count()).toBe(0)
    await checkEveryView(page, 'import-member')
  })
})
