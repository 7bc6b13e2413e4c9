import { describe, expect, it } from 'vitest'
import { BASE_DN, BIND_DN, BIND_PASSWORD, group, person, personDn } from '../../server/test/peers/slapd'
import { button, everything, link } from './application-pages'
import { violations } from './axe'
import { newPage, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { cannotRunLdap, connect, fact, people, textbox, useDirectory } from './ldap-directory'
import { heading, newAddress, signInByApi } from './people'

useBrowser()

describe.skipIf(cannotRunLdap)('the pages of an LDAP directory', () => {
  const { administrator, remove } = useDirectory()

  it('lead from nothing over a test and a dry run to people who come and go', { timeout: 120_000 }, async () => {
    const [ann, bob] = [newAddress('ann'), newAddress('bob')]
    const { owner, page, port, ldap } = await administrator(
      person('ann', { mail: ann, title: 'Head of everything' }) +
        person('bob', { mail: bob }) +
        group('all', [personDn('ann'), personDn('bob')]),
    )
    await page.goto(ldap)
    await checkEveryView(page, 'ldap-none')
    await button(page, 'Connect a directory').click()
    await button(page, 'Save and go on').click()
    await page.getByText('Write an address, as ldaps://ldap.example.com.').waitFor()
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe('ldapUrl')
    await checkEveryView(page, 'ldap-new')

    await page.getByRole('radio', { name: 'OpenLDAP' }).check()
    await page.getByText('Empty: (objectClass=inetOrgPerson)').waitFor()
    await textbox(page, 'Address').fill(`ldap://127.0.0.1:${port}`)
    await page.getByText('Passwords and people would go over the network in the clear').waitFor()
    await textbox(page, 'Read as (bind DN)').fill(BIND_DN)
    await textbox(page, 'Password').fill('a wrong password')
    await textbox(page, 'Read below (base DN)').fill(BASE_DN)
    await button(page, 'Test what is written').click()
    await page.getByText('One check failed.').first().waitFor()
    await page.getByText('Failed: Bind account').waitFor()
    await page.getByRole('listitem').getByText('Connection', { exact: true }).waitFor()
    await checkEveryView(page, 'ldap-test-failed')

    await textbox(page, 'Password').fill(BIND_PASSWORD)
    await page.getByText('Something was changed since. Test once more.').waitFor()
    await button(page, 'Test what is written').click()
    await page.getByText('The directory can be read: 2 people, 1 group.').first().waitFor()
    await page.getByText('Head of everything').waitFor()
    await checkEveryView(page, 'ldap-test-good')
    expect(await owner.get('/directory/ldap/config'), 'a test saves nothing').toBeNull()
    await button(page, 'Save and go on').click()
    await button(page, 'Dry run').waitFor()
    expect(await everything(page)).not.toContain('the reader reads')
    await checkEveryView(page, 'ldap-connected')

    await button(page, 'Dry run').click()
    await page.getByText('This is what a sync would do. Nothing was changed.').waitFor()
    await page.getByText('Would be added (2)').waitFor()
    await page.getByText(ann).waitFor()
    await page.getByText('Groups that would be made (1)').waitFor()
    expect(await people(owner)).not.toHaveProperty([ann])
    await checkEveryView(page, 'ldap-dry-run')

    await button(page, 'Sync now').click()
    await page.getByText('Everything was taken over.').waitFor()
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
    expect(await fact(page, 'People added')).toBe('2')
    expect(await fact(page, 'Put into groups')).toBe('2')
    expect(await people(owner)).toMatchObject({ [ann]: 'active', [bob]: 'active' })
    await checkEveryView(page, 'ldap-synced')

    remove('bob')
    await link(page, 'To the LDAP directory').click()
    await button(page, 'Test the connection').click()
    await page.getByText('The directory can be read: 1 person, 1 group.').first().waitFor()
    await checkEveryView(page, 'ldap-overview')
    await button(page, 'Sync now').click()
    await page.getByText('Everything was taken over.').waitFor()
    expect(await fact(page, 'People suspended')).toBe('1')
    expect(await people(owner)).toMatchObject({ [ann]: 'active', [bob]: 'suspended' })
  })

  it('keep the password to themselves, and what was typed until it is saved', { timeout: 90_000 }, async () => {
    const { owner, page, port, ldap } = await administrator()
    await connect(owner, port)
    await page.goto(`${ldap}/settings`)
    await textbox(page, 'Address').waitFor()
    expect(await textbox(page, 'Password').inputValue()).toBe('')
    const text = await everything(page)
    expect(text).not.toContain('the reader reads')
    expect(text).not.toContain('********')
    await checkEveryView(page, 'ldap-settings')

    // The service refuses it: at its field, with what was typed still there.
    await textbox(page, 'Filter of people (optional)').fill('(objectClass=')
    await textbox(page, 'Read below (base DN)').fill('no name at all')
    await button(page, 'Save').click()
    await page.getByText('must be a distinguished name, such as dc=example,dc=com').waitFor()
    expect(await textbox(page, 'Filter of people (optional)').inputValue()).toBe('(objectClass=')
    expect(await textbox(page, 'Read below (base DN)').getAttribute('aria-invalid')).toBe('true')
    await checkEveryView(page, 'ldap-settings-refused')
    let asked = 0
    page.on('dialog', (dialog) => {
      asked++
      return dialog.dismiss()
    })
    await link(page, 'To the LDAP directory').click()
    expect(asked).toBe(1)

    await textbox(page, 'Filter of people (optional)').fill('')
    await textbox(page, 'Read below (base DN)').fill(BASE_DN)
    await page.getByText('Attributes', { exact: true }).click()
    await textbox(page, 'Title').fill('employeeType')
    await textbox(page, 'Department').fill('employeeType')
    await button(page, 'Save').click()
    await page.getByText('This attribute fills another field already.').waitFor()
    await textbox(page, 'Department').fill('ou')
    await page.getByRole('combobox', { name: 'Sync' }).selectOption('Every hour')
    await page.getByRole('checkbox', { name: /^Sign in by the password of the directory/ }).check()
    await button(page, 'Save').click()
    await page.getByRole('main').getByText('Saved', { exact: true }).waitFor()
    expect(await owner.get('/directory/ldap/config')).toMatchObject({
      attributeMapping: { employeeType: 'title', ou: 'department' },
      scheduleMinutes: 60,
      signInEnabled: true,
      ldapUserFilter: '(objectClass=inetOrgPerson)',
    })
    await link(page, 'To the LDAP directory').click()
    await page.getByText('Every hour').waitFor()
    await page.getByText('By the password of the directory too').waitFor()

    // What the stored password was given for has changed.
    await button(page, 'Settings').click()
    await textbox(page, 'Address').fill(`ldap://localhost:${port}`)
    await page.getByRole('combobox', { name: 'Sync' }).selectOption('At another interval')
    await textbox(page, 'Minutes between two syncs').fill('90')
    await button(page, 'Save').click()
    await page.getByText('Give it once more').waitFor()
    await textbox(page, 'Password').fill(BIND_PASSWORD)
    await button(page, 'Save').click()
    await page.getByRole('main').getByText('Saved', { exact: true }).waitFor()
    expect(await textbox(page, 'Password').inputValue()).toBe('')
    expect(await owner.get('/directory/ldap/config')).toMatchObject({ scheduleMinutes: 90 })
    await page.reload()
    expect(await textbox(page, 'Minutes between two syncs').inputValue()).toBe('90')
    expect(await everything(page)).not.toContain('the reader reads')
  })

  it('turn it off and on, and delete it only when its name was typed', async () => {
    const { owner, page, port, ldap } = await administrator()
    await connect(owner, port)
    await page.goto(ldap)
    await button(page, 'Turn off').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
    await page.getByText('The directory is switched off. Turn it on to read it.').waitFor()
    expect(await button(page, 'Sync now').count()).toBe(0)
    await checkEveryView(page, 'ldap-off')
    await button(page, 'Turn on').click()
    await button(page, 'Sync now').waitFor()
    await button(page, 'Delete directory').click()
    const dialog = page.getByRole('dialog', { name: `Delete the directory 127.0.0.1:${port}?` })
    await dialog.getByRole('button', { name: 'Delete directory' }).click()
    await dialog.getByText(`Type it exactly: 127.0.0.1:${port}`).waitFor()
    await checkEveryView(page, 'ldap-delete')
    await dialog.getByRole('textbox').fill(`127.0.0.1:${port}`)
    await dialog.getByRole('button', { name: 'Delete directory' }).click()
    await button(page, 'Connect a directory').waitFor()
    expect(await owner.get('/directory/ldap/config')).toBeNull()
  })

  it('can be looked at, and no more, by whoever may not change it', async () => {
    const { owner, page, email, port, ldap } = await administrator()
    await connect(owner, port)
    await owner.post('/directory/ldap/sync', {})
    // As the service answers to a role without the permission; it refuses the calls as well.
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
    await reader.getByText('Your role may look at the directory, not change it.').waitFor()
    for (const verb of ['Turn off', 'Test the connection', 'Dry run', 'Sync now', 'Delete directory'])
      expect(await button(reader, verb).count(), verb).toBe(0)
    await checkEveryView(reader, 'ldap-read-only')
    await link(reader, /^Sync/).first().click()
    await reader.getByText('Everything was taken over.').waitFor()
    await reader.goto(`${ldap}/settings`)
    await reader.getByText('Your role may look at the directory, not change it.').waitFor()
    expect(await textbox(reader, 'Address').isDisabled()).toBe(true)
    expect(await button(reader, 'Test what is written').isDisabled()).toBe(true)
    expect(await button(reader, 'Save').isDisabled()).toBe(true)
    expect(await violations(reader)).toEqual([])
    missing = /^directory:/
    await reader.goto(ldap)
    await reader.getByText('it needs directory:read').waitFor()
    await heading(reader, 'Directory').waitFor()
    expect(await link(reader, 'LDAP').count()).toBe(0)
  })
})
