import { describe, expect, it } from 'vitest'
import { BASE_DN, BIND_DN, BIND_PASSWORD, group, person, personDn } from '../../server/test/peers/slapd'
import { button, crumb, everything, link } from './application-pages'
import { violations } from './axe'
import { newPage, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { cannotRunLdap, connect, fact, people, textbox, useDirectory } from './ldap-directory'
import { heading, newAddress, signInByApi } from './people'

useBrowser()

describe.skipIf(cannotRunLdap)('the LDAP directory', () => {
  const { administrator, remove } = useDirectory()

  it('connects with a test and a dry run, then imports and suspends users', { timeout: 120_000 }, async () => {
    const [ann, bob] = [newAddress('ann'), newAddress('bob')]
    const { owner, page, port, ldap } = await administrator(
      person('ann', { mail: ann, title: 'Head of everything' }) +
        person('bob', { mail: bob }) +
        group('all', [personDn('ann'), personDn('bob')]),
    )
    await page.goto(ldap)
    await checkEveryView(page, 'ldap-none')
    await button(page, 'Connect directory').click()
    await button(page, 'Continue').click()
    await page.getByText('Enter a URL such as ldaps://ldap.example.com.').waitFor()
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-path'))).toBe('ldapUrl')
    await checkEveryView(page, 'ldap-new')

    await page.getByRole('radio', { name: 'OpenLDAP' }).check()
    await page.getByText('Default: (objectClass=inetOrgPerson)').waitFor()
    await textbox(page, 'Server URL').fill(`ldap://127.0.0.1:${port}`)
    await page.getByText('Passwords and user data are sent unencrypted').waitFor()
    await textbox(page, 'Bind DN').fill(BIND_DN)
    await textbox(page, 'Bind password').fill('a wrong password')
    await textbox(page, 'Base DN').fill(BASE_DN)
    await button(page, 'Test connection').click()
    await page.getByText('1 check failed').first().waitFor()
    await page.getByText('Failed: Bind account').waitFor()
    await page.getByRole('listitem').getByText('Connection', { exact: true }).waitFor()
    await checkEveryView(page, 'ldap-test-failed')

    await textbox(page, 'Bind password').fill(BIND_PASSWORD)
    await page.getByText('The settings have changed since this test. Test again.').waitFor()
    await button(page, 'Test connection').click()
    await page.getByText('The connection works: 2 users, 1 group.').first().waitFor()
    await page.getByText('Head of everything').waitFor()
    await checkEveryView(page, 'ldap-test-good')
    expect(await owner.get('/directory/ldap/config'), 'a test saves nothing').toBeNull()
    await button(page, 'Continue').click()
    await button(page, 'Dry run').waitFor()
    expect(await everything(page)).not.toContain('the reader reads')
    await checkEveryView(page, 'ldap-connected')

    await button(page, 'Dry run').click()
    await page.getByText('A sync would make these changes. No changes were made.').waitFor()
    await page.getByText('Users to add (2)').waitFor()
    await page.getByText(ann).waitFor()
    await page.getByText('Groups to create (1)').waitFor()
    expect(await people(owner)).not.toHaveProperty([ann])
    await checkEveryView(page, 'ldap-dry-run')

    await button(page, 'Sync now').click()
    await page.getByText('All entries were imported.').waitFor()
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
    expect(await fact(page, 'Users added')).toBe('2')
    expect(await fact(page, 'Members added')).toBe('2')
    expect(await people(owner)).toMatchObject({ [ann]: 'active', [bob]: 'active' })
    await checkEveryView(page, 'ldap-synced')

    remove('bob')
    await crumb(page, 'LDAP directory').click()
    await button(page, 'Test connection').click()
    await page.getByText('The connection works: 1 user, 1 group.').first().waitFor()
    await checkEveryView(page, 'ldap-overview')
    await button(page, 'Sync now').click()
    await page.getByText('All entries were imported.').waitFor()
    expect(await fact(page, 'Users suspended')).toBe('1')
    expect(await people(owner)).toMatchObject({ [ann]: 'active', [bob]: 'suspended' })
  })

  it('never shows the password, and keeps typed values until they are saved', { timeout: 90_000 }, async () => {
    const { owner, page, port, ldap } = await administrator()
    await connect(owner, port)
    await page.goto(`${ldap}/settings`)
    await textbox(page, 'Server URL').waitFor()
    expect(await textbox(page, 'Bind password').inputValue()).toBe('')
    const text = await everything(page)
    expect(text).not.toContain('the reader reads')
    expect(text).not.toContain('********')
    await checkEveryView(page, 'ldap-settings')

    // An error of the service appears at its field, and the typed values are kept.
    await textbox(page, 'User filter').fill('(objectClass=')
    await textbox(page, 'Base DN').fill('no name at all')
    await button(page, 'Save').click()
    await page.getByText('must be a distinguished name, such as dc=example,dc=com').waitFor()
    expect(await textbox(page, 'User filter').inputValue()).toBe('(objectClass=')
    expect(await textbox(page, 'Base DN').getAttribute('aria-invalid')).toBe('true')
    await checkEveryView(page, 'ldap-settings-rejected')
    let asked = 0
    page.on('dialog', (dialog) => {
      asked++
      return dialog.dismiss()
    })
    await crumb(page, 'LDAP directory').click()
    expect(asked).toBe(1)

    await textbox(page, 'User filter').fill('')
    await textbox(page, 'Base DN').fill(BASE_DN)
    await page.getByText('Attributes', { exact: true }).click()
    await textbox(page, 'Title').fill('employeeType')
    await textbox(page, 'Department').fill('employeeType')
    await button(page, 'Save').click()
    await page.getByText('This attribute is already used for another field.').waitFor()
    await textbox(page, 'Department').fill('ou')
    await page.getByRole('combobox', { name: 'Schedule' }).click()
    await page.getByRole('option', { name: 'Every hour' }).click()
    await page.getByRole('checkbox', { name: /^Accept directory passwords/ }).check()
    await button(page, 'Save').click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    expect(await owner.get('/directory/ldap/config')).toMatchObject({
      attributeMapping: { employeeType: 'title', ou: 'department' },
      scheduleMinutes: 60,
      signInEnabled: true,
      ldapUserFilter: '(objectClass=inetOrgPerson)',
    })
    await crumb(page, 'LDAP directory').click()
    await page.getByText('Every hour').waitFor()
    await page.getByText('Directory passwords are accepted').waitFor()

    // The stored password must not be sent to another server.
    await button(page, 'Settings').click()
    await textbox(page, 'Server URL').fill(`ldap://localhost:${port}`)
    await page.getByRole('combobox', { name: 'Schedule' }).click()
    await page.getByRole('option', { name: 'Custom interval' }).click()
    await textbox(page, 'Interval in minutes').fill('90')
    await button(page, 'Save').click()
    await page.getByText('Enter the password again').waitFor()
    await textbox(page, 'Bind password').fill(BIND_PASSWORD)
    await button(page, 'Save').click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    await expect.poll(() => textbox(page, 'Bind password').inputValue()).toBe('')
    expect(await owner.get('/directory/ldap/config')).toMatchObject({ scheduleMinutes: 90 })
    await page.reload()
    expect(await textbox(page, 'Interval in minutes').inputValue()).toBe('90')
    expect(await everything(page)).not.toContain('the reader reads')
  })

  it('disables, enables and deletes the directory after confirmation', async () => {
    const { owner, page, port, ldap } = await administrator()
    await connect(owner, port)
    await page.goto(ldap)
    await button(page, 'Disable').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await page.getByText('The directory is disabled. Enable it to sync.').waitFor()
    expect(await button(page, 'Sync now').count()).toBe(0)
    await checkEveryView(page, 'ldap-off')
    await button(page, 'Enable').click()
    await button(page, 'Sync now').waitFor()
    await button(page, 'Delete directory').click()
    const dialog = page.getByRole('dialog', { name: `Delete the directory 127.0.0.1:${port}?` })
    await dialog.getByRole('button', { name: 'Delete directory' }).click()
    await dialog.getByText(`Type exactly: 127.0.0.1:${port}`).waitFor()
    await checkEveryView(page, 'ldap-delete')
    await dialog.getByRole('textbox').fill(`127.0.0.1:${port}`)
    await dialog.getByRole('button', { name: 'Delete directory' }).click()
    await button(page, 'Connect directory').waitFor()
    expect(await owner.get('/directory/ldap/config')).toBeNull()
  })

  it('shows a read-only page without the permission to change it', async () => {
    const { owner, page, email, port, ldap } = await administrator()
    await connect(owner, port)
    await owner.post('/directory/ldap/sync', {})
    // Simulates a role without the permission. The service rejects the calls of such a role as well.
    let missing = /^directory:write$/
    const reader = await newPage()
    await reader.route('**/api/v1/auth/me', async (route) => {
      const answer = await route.fetch()
      const me = (await answer.json()) as { permissions: string[] }
      const permissions = me.permissions.filter((permission) => !missing.test(permission))
      await route.fulfill({ response: answer, json: { ...me, permissions } })
    })
    await page.close()
    await signInByApi(reader, email)
    await reader.goto(ldap)
    await reader.getByText('You can view this directory but not change it.').waitFor()
    for (const verb of ['Disable', 'Test connection', 'Dry run', 'Sync now', 'Delete directory'])
      expect(await button(reader, verb).count(), verb).toBe(0)
    await checkEveryView(reader, 'ldap-read-only')
    await link(reader, /^Sync/).first().click()
    await reader.getByText('All entries were imported.').waitFor()
    await reader.goto(`${ldap}/settings`)
    await reader.getByText('You can view this directory but not change it.').waitFor()
    expect(await textbox(reader, 'Server URL').isDisabled()).toBe(true)
    expect(await button(reader, 'Test connection').isDisabled()).toBe(true)
    expect(await violations(reader)).toEqual([])
    missing = /^directory:/
    await reader.goto(ldap)
    await reader.getByText('You don’t have access to directory sync.').waitFor()
    await heading(reader, 'Directory sync').waitFor()
    expect(await link(reader, 'LDAP').count()).toBe(0)
  })
})
