import { readFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { person, personDn } from '../../server/test/peers/slapd'
import { button, crumb, link } from './application-pages'
import { useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { cannotRunLdap, connect, people, useDirectory } from './ldap-directory'
import { newAddress } from './people'

useBrowser()

describe.skipIf(cannotRunLdap)('the syncs of an LDAP directory', () => {
  const { administrator, remove, stop } = useDirectory()

  it('explains a failed sync, and asks before many users are suspended', { timeout: 90_000 }, async () => {
    const uids = Array.from({ length: 12 }, (_, index) => `u${index}`)
    const mails = Object.fromEntries(uids.map((uid) => [uid, newAddress(uid)]))
    const { owner, page, port, ldap } = await administrator(
      uids.map((uid) => person(uid, { mail: mails[uid] as string })).join(''),
    )
    await connect(owner, port)
    await owner.post('/directory/ldap/sync', {})
    remove('u0', 'u1')
    await page.goto(ldap)
    await button(page, 'Sync now').click()
    await page.getByText('More than 10 % of the users or groups are missing').waitFor()
    await page
      .getByText('2 of 12 users are no longer in the directory: no user was suspended and no group emptied.')
      .waitFor()
    await checkEveryView(page, 'ldap-leavers')
    await button(page, 'Dry run').click()
    await page.getByText('Users to suspend (2)').waitFor()
    await button(page, 'Sync now').click()
    const dialog = page.getByRole('dialog', { name: 'Suspend 2 users?' })
    await dialog.waitFor()
    expect(Object.values(await people(owner))).not.toContain('suspended')
    await checkEveryView(page, 'ldap-leavers-asked')
    await dialog.getByRole('button', { name: 'Sync and suspend' }).click()
    await page.getByText('All entries were imported.').waitFor()
    expect(await people(owner)).toMatchObject({ [mails.u0 as string]: 'suspended', [mails.u2 as string]: 'active' })

    await stop()
    await page.goto(ldap)
    await button(page, 'Sync now').click()
    await page.getByText('The directory can’t be reached').waitFor()
    await page.getByText('Check the server URL, the port and the firewall').waitFor()
    await checkEveryView(page, 'ldap-failed')
    await crumb(page, 'LDAP directory').click()
    await page.getByRole('listitem').filter({ hasText: 'The directory can’t be reached' }).waitFor()
    await checkEveryView(page, 'ldap-overview-failed')
    await button(page, 'Test connection').click()
    await page.getByText('Failed: Connection').waitFor()
  })

  it('lists rejected entries, and saves them as CSV without formulas', async () => {
    const { owner, page, port, ldap } = await administrator(
      person('ann', { mail: newAddress('ann') }) + person('odd', { mail: '=HYPERLINK("https://evil.example")' }),
    )
    await connect(owner, port)
    await page.goto(ldap)
    await button(page, 'Sync now').click()
    await page.getByText('1 entry was not imported.').waitFor()
    await page.getByText('Completed with errors').waitFor()
    await page.getByText('The email address is invalid. Correct it in the directory.').waitFor()
    await checkEveryView(page, 'ldap-rejected')
    const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Save as CSV').click()])
    expect(file.suggestedFilename()).toMatch(/^rejected-entries-\d{4}-\d\d-\d\d\.csv$/)
    expect(readFileSync(await file.path(), 'utf8')).toBe(
      `dn,email,code,reason\r\n"${personDn('odd')}","'=HYPERLINK(""https://evil.example"")",invalid_address,The email address is invalid. Correct it in the directory.\r\n`,
    )
  })

  describe('while a sync is running', () => {
    const silent: Server[] = []
    const sockets: Socket[] = []
    afterEach(() => {
      for (const socket of sockets) socket.destroy()
      for (const server of silent) server.close()
    })
    /** Accepts connections and never responds. */
    const listen = () =>
      new Promise<number>((resolve) => {
        const server = createServer((socket) => {
          socket.on('error', () => {})
          sockets.push(socket)
        })
        silent.push(server)
        server.listen(0, '127.0.0.1', () => {
          const address = server.address()
          resolve(typeof address === 'object' && address ? address.port : 0)
        })
      })

    it('shows the progress, also after leaving the page, and cancels the sync', { timeout: 90_000 }, async () => {
      const { owner, page, port, ldap } = await administrator(person('ann') + person('bob'))
      await connect(owner, await listen())
      await page.goto(ldap)
      await button(page, 'Sync now').dblclick()
      await page.getByText('0 entries processed').waitFor()
      expect(await owner.get('/directory/ldap/runs')).toMatchObject({ total: 1 })
      await button(page, 'Cancel sync').click()
      await page.getByText('Canceled. Completed changes stay.').waitFor()

      // With the total of the last sync.
      await connect(owner, port)
      await owner.post('/directory/ldap/sync', {})
      await connect(owner, await listen())
      await button(page, 'Sync now').click()
      await page.getByText('0 of about 2 entries').waitFor()
      await page.getByRole('progressbar', { name: 'Progress' }).waitFor()
      await page.getByText(/^Connecting · \d+ s · by you$/).waitFor()
      await page.waitForURL('**/directory/ldap/runs/*')
      await checkEveryView(page, 'ldap-running')
      await crumb(page, 'LDAP directory').click()
      await page.getByText(/^Connecting · /).waitFor()
      // No button starts a second sync.
      expect(await button(page, 'Sync now').count()).toBe(0)
      await checkEveryView(page, 'ldap-overview-running')
      await button(page, 'Cancel sync').click()
      await button(page, 'Sync now').waitFor()
      await page.getByText('Canceled', { exact: true }).first().waitFor()

      await link(page, /^Sync/).first().click()
      await page.getByText('Canceled. Completed changes stay.').waitFor()

      // Another administrator has started a sync since the page was opened.
      const theirs = owner.post('/directory/ldap/sync', {})
      await expect.poll(() => owner.get('/directory/ldap/runs')).toMatchObject({ total: 4 })
      await button(page, 'Sync now').click()
      await page.getByText('A sync was already running.').first().waitFor()
      await button(page, 'Cancel sync').click()
      await page.getByText('Canceled. Completed changes stay.').waitFor()
      expect(await theirs).toMatchObject({ status: 'cancelled' })
      expect(await owner.get('/directory/ldap/runs')).toMatchObject({ total: 4 })
    })
  })

  it('lists all syncs, one page at a time', async () => {
    const { owner, page, port, ldap } = await administrator()
    await connect(owner, port)
    for (let run = 0; run < 21; run++) await owner.post('/directory/ldap/sync', { dryRun: true })
    await page.goto(ldap)
    await link(page, 'All syncs').click()
    await button(page, 'Older').waitFor()
    expect(
      await page
        .getByRole('main')
        .getByRole('link', { name: /^Dry run/ })
        .count(),
    ).toBe(20)
    await checkEveryView(page, 'ldap-runs')
    await button(page, 'Older').click()
    await page.waitForURL('**/runs?page=2')
    await page.waitForFunction(() => document.querySelectorAll('main li').length === 1)
    expect(await button(page, 'Older').isDisabled()).toBe(true)
    await page.reload()
    await page.waitForFunction(() => document.querySelectorAll('main li').length === 1)
  })
})
