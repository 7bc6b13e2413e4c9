import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cannotRun, newPage, picture, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { pressOn } from './keyboard'
import { fillSignIn, goodPassword, heading, newAddress, signedIn } from './people'
import { joinByInvitation, type Program, registerProgram, signInToTeam } from './programs'
import { entry, type Service, startSetUp } from './service'

useBrowser()

const DAY = 24 * 60 * 60_000

interface Archive {
  entries: number
  firstSeal: number
  lastSeal: number
}

describe.skipIf(cannotRun)('the audit retention of a team', () => {
  /** Has the clock of this file. */
  let service: Service
  /** Of a team with an archive. */
  const [admin, reporter, member] = [newAddress('retention'), newAddress('reporter'), newAddress('member')]
  let owner: Program
  const folder = mkdtempSync(join(tmpdir(), 'keyward-archives-'))

  const archivesOf = async (program: Program) => (await program.get('/audit/archives')).data as Archive[]

  beforeAll(async () => {
    service = await startSetUp({ E2E_CLOCK_OFFSET: String(-121 * DAY) })
    const old = await registerProgram(admin, service.url)
    await joinByInvitation(old, await registerProgram(reporter, service.url), reporter, 'REPORT_ADMIN', service)
    await joinByInvitation(old, await registerProgram(member, service.url), member, 'MEMBER', service)
    for (const name of ['Sales', 'Support']) await old.post('/groups', { name })
    await until(async () => (await old.get('/audit/verify')).pending === 0)
    service.setClock(-2 * DAY)
    owner = await signInToTeam(admin, goodPassword, old.teamId, service.url)
    await owner.put('/audit/retention', { days: 90 })
    service.setClock(0)
    owner = await signInToTeam(admin, goodPassword, old.teamId, service.url)
    await until(async () => (await archivesOf(owner)).length === 1)
  })
  afterAll(async () => {
    await service?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const open = async (email: string, { slug }: Program, path = '/settings/audit-retention') => {
    const page = await newPage()
    await page.goto(`${service.url}/login?returnTo=${encodeURIComponent(`/t/${slug}${path}`)}`)
    await fillSignIn(page, email)
    await signedIn(page)
    return page
  }
  const retention = (page: Page) => page.getByRole('combobox', { name: 'Keep entries in the log' })
  const choose = async (page: Page, name: string) => {
    await retention(page).click()
    await page.getByRole('option', { name, exact: true }).click()
  }
  /** The component writes what the field shows after the value has changed. */
  const shows = (page: Page, name: string) => expect.poll(() => retention(page).inputValue()).toBe(name)
  const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })
  const saved = async (page: Page, program: Program, days: number | null) => {
    await page.getByText('unsaved change').waitFor({ state: 'detached' })
    expect((await program.get('/audit/retention')).days).toBe(days)
  }

  it('asks before a shorter retention, and clears it without a question', {
    timeout: 120_000,
  }, async () => {
    const email = newAddress('retention-form')
    const program = await registerProgram(email, service.url)
    const page = await open(email, program, '')
    await page.getByRole('link', { name: 'Audit retention' }).click()
    await heading(page, 'Audit retention').waitFor()
    await page.getByText('No archives yet. Set a retention').waitFor()
    await shows(page, 'Forever (default)')
    await checkEveryView(page, 'audit-retention-empty')

    await choose(page, 'Custom')
    await page.getByRole('textbox', { name: 'Days' }).fill('30')
    await pressOn(page, save(page))
    await page.getByText('Enter a whole number from 90 to 3650.').waitFor()
    await checkEveryView(page, 'audit-retention-invalid')
    await page.getByRole('button', { name: 'Discard' }).click()
    await shows(page, 'Forever (default)')

    await choose(page, 'Custom')
    await page.getByRole('textbox', { name: 'Days' }).fill('400')
    const from = new Intl.DateTimeFormat('en', { dateStyle: 'medium' }).format(Date.now() - 400 * DAY)
    await page.getByText(`Entries from ${from} on stay in the log.`).waitFor()
    await pressOn(page, save(page))
    const dialog = page.getByRole('dialog', { name: 'Move older entries into archives?' })
    await dialog.getByText(`Entries from ${from} on stay in the log.`).waitFor()
    await checkEveryView(page, 'audit-retention-confirm')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect((await program.get('/audit/retention')).days).toBeNull()
    await pressOn(page, save(page))
    await pressOn(page, dialog.getByRole('button', { name: 'Move older entries' }))
    await saved(page, program, 400)
    await page.getByText('The first one is created within 30 days').waitFor()

    await choose(page, '2 years')
    await save(page).click()
    await saved(page, program, 730)
    await choose(page, '90 days')
    await save(page).click()
    await dialog.getByRole('button', { name: 'Move older entries' }).click()
    await saved(page, program, 90)
    await choose(page, 'Forever (default)')
    await save(page).click()
    await saved(page, program, null)
    await page.getByText('No archives yet. Set a retention').waitFor()
    await page.reload()
    await heading(page, 'Audit retention').waitFor()
    await shows(page, 'Forever (default)')
  })

  it('shows a reports admin the retention and the archives without a way to change them', async () => {
    const page = await open(reporter, owner)
    await page.getByText('Only owners and administrators can change the retention and delete archives.').waitFor()
    await page.getByRole('definition').getByText('90 days').waitFor()
    expect(await retention(page).count()).toBe(0)
    expect(await page.getByRole('textbox').count()).toBe(0)
    await page.getByRole('button', { name: /^Download the archive/ }).waitFor()
    expect(await page.getByRole('button', { name: /^Delete/ }).count()).toBe(0)
    await checkEveryView(page, 'audit-retention-reports')
  })

  it('rejects a member without access to the audit log', async () => {
    const page = await open(member, owner)
    await heading(page, 'No access').waitFor()
    await page.getByText('You don’t have access to the audit log.').waitFor()
    expect(await page.getByRole('link', { name: 'Audit retention' }).count()).toBe(0)
  })

  it('shows why archives failed to load, and loads them again', async () => {
    const page = await open(admin, owner, '')
    await page.route('**/api/v1/audit/archives', (route) =>
      route.fulfill({ status: 503, json: { code: 'unavailable', status: 503, requestId: 'req_1' } }),
    )
    await page.getByRole('link', { name: 'Audit retention' }).click()
    await page.getByRole('alert').getByText('Request ID req_1').waitFor()
    await checkEveryView(page, 'audit-retention-failed')
    await page.unroute('**/api/v1/audit/archives')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: /^Download the archive/ }).waitFor()
  })

  it('lists the newest archives, and the older ones on request', async () => {
    const page = await open(admin, owner, '')
    const data = Array.from({ length: 14 }, (_, index) => ({
      id: `0199aaaa-bbbb-7ccc-8ddd-eeeeffff00${10 + index}`,
      firstSeal: 28_000 - index * 2_000 + 1,
      lastSeal: 28_000 - index * 2_000 + 2_000,
      entries: 10_250,
      from: new Date(Date.UTC(2025, 11 - index, 1, 12)).toISOString(),
      to: new Date(Date.UTC(2025, 12 - index, 1, 12)).toISOString(),
      size: 8_123_456,
      createdAt: new Date(Date.now() - (index + 1) * 30 * DAY).toISOString(),
    }))
    await page.route('**/api/v1/audit/archives', (route) => route.fulfill({ json: { data } }))
    await page.getByRole('link', { name: 'Audit retention' }).click()
    await page.getByText('10,250 entries').first().waitFor()
    expect(await page.getByRole('button', { name: /^Download the archive/ }).count()).toBe(12)
    await page.getByText('2 older archives').click()
    await page.getByRole('button', { name: 'Download the archive of Nov 1 – Dec 1, 2024' }).waitFor()
    await checkEveryView(page, 'audit-retention-many')
    await page.setViewportSize({ width: 390, height: 844 })
    await picture(page, 'audit-retention-many-390')
  })

  it('downloads an archive that the command line verifies, and deletes it', async () => {
    const page = await open(admin, owner)
    const [archive] = await archivesOf(owner)
    if (!archive) throw new Error('No archive')
    const name = `audit-archive-${archive.firstSeal}-${archive.lastSeal}`
    await shows(page, '90 days')
    await page.getByRole('definition').getByText(`${archive.entries} entries`).waitFor()
    await checkEveryView(page, 'audit-retention-archive')
    await page.setViewportSize({ width: 390, height: 844 })
    await picture(page, 'audit-retention-390')

    const download = page.waitForEvent('download')
    await pressOn(page, page.getByRole('button', { name: /^Download the archive/ }))
    const file = await download
    expect(file.suggestedFilename()).toBe(`${name}.ndjson`)
    const path = join(folder, file.suggestedFilename())
    await file.saveAs(path)
    const [header, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n')
    expect(JSON.parse(header ?? '')).toMatchObject({ format: 'keyward-audit-export', chain: owner.teamId })
    expect(lines.filter((line) => line.startsWith('{"entry"'))).toHaveLength(archive.entries)
    const keys = join(folder, 'keys.json')
    writeFileSync(keys, JSON.stringify(await owner.get('/audit/checkpoint-keys')))
    expect(await verify(path, keys)).toMatchObject({ valid: true, seal: archive.lastSeal, entries: archive.entries })

    await page.getByRole('button', { name: /^Delete the archive/ }).click()
    const dialog = page.getByRole('dialog', { name: /^Delete the archive/ })
    await dialog.getByText('An archive can’t be restored.').waitFor()
    await picture(page, 'audit-retention-delete-390')
    const again = page.waitForEvent('download')
    await dialog.getByRole('button', { name: `Download ${name}.ndjson` }).click()
    expect((await again).suggestedFilename()).toBe(`${name}.ndjson`)
    await dialog.getByRole('button', { name: 'Delete archive' }).click()
    await dialog.getByText(`Type exactly: ${name}`).waitFor()
    await checkEveryView(page, 'audit-retention-delete')
    await dialog.getByRole('textbox').fill(name)
    await dialog.getByRole('button', { name: 'Delete archive' }).click()
    await page.getByText('Archive deleted').waitFor()
    const list = page.locator(':focus').filter({ hasText: 'No archives yet. The first one is created' })
    await list.waitFor()
    expect(await archivesOf(owner)).toEqual([])
    expect(await owner.get('/audit/verify')).toMatchObject({ valid: true })
  })
})

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 40_000; !(await isTrue()); ) {
    if (Date.now() > end) throw new Error('The service did not reach the expected state')
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

/** Verifies a file with the command of the operator, without the database. */
const verify = (path: string, keys: string) =>
  new Promise<Record<string, unknown>>((resolve, reject) => {
    const args = [entry, 'audit', 'verify', path, '--keys', keys, '--json']
    execFile(process.execPath, args, (error, out) => (error ? reject(error) : resolve(JSON.parse(out))))
  })
