import { describe, expect, it } from 'vitest'
import { cannotRun, useBrowser } from './browser'
import { checkEveryView } from './every-view'
import { expectFocus } from './keyboard'
import { heading } from './people'
import { useTeamOfPeople } from './team-of-people'

useBrowser()

describe.skipIf(cannotRun)('groups and roles', () => {
  const { admin, owner, open } = useTeamOfPeople()

  it('creates a group and saves its members as one pending change', async () => {
    const page = await open('/groups')
    await page.getByText('No groups yet.').waitFor()
    await checkEveryView(page, 'groups-empty')
    await page.getByRole('button', { name: 'Create group' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Create group' }).click()
    await dialog.getByText('Enter a name.').waitFor()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Finance')
    await dialog.getByRole('button', { name: 'Create group' }).click()
    await page.getByText('Group created').waitFor()
    await page.getByRole('link', { name: 'Finance' }).click()
    await heading(page, 'Finance').waitFor()
    await page.getByRole('searchbox', { name: 'Find users by name or email' }).fill('ames')
    await page.getByRole('button', { name: 'Add Ann Ames' }).click()
    await page.getByText('1 unsaved change').waitFor()
    await checkEveryView(page, 'group-pending')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Members saved').waitFor()
    await page.getByRole('button', { name: 'Remove Ann Ames' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('button', { name: 'Remove Ann Ames' }).waitFor()
  })

  it('shows the present members after another administrator changed them', async () => {
    const { id } = (await owner().post('/groups', { name: 'Design' })) as { id: string }
    const { data } = (await owner().get('/users?search=burr')) as { data: { id: string }[] }
    const page = await open(`/groups/${id}`)
    await page.getByRole('searchbox', { name: 'Find users by name or email' }).fill('ames')
    await page.getByRole('button', { name: 'Add Ann Ames' }).click()
    await owner().put(`/groups/${id}/users`, { userIds: [data[0]?.id] })
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await save.click()
    await page.getByText('Another administrator changed this.').waitFor()
    await page.getByRole('searchbox', { name: 'Find users by name or email' }).fill('')
    await page.getByRole('button', { name: 'Remove Bob Burr' }).waitFor()
    await save.click()
    await page.getByText('Members saved').waitFor()
    const { users } = (await owner().get(`/groups/${id}/users`)) as { users: unknown[] }
    expect(users).toHaveLength(2)
  })

  it('leads from an unknown group or user to the list', async () => {
    const page = await open('/groups/unknown')
    await heading(page, 'Group not found').waitFor()
    await page.getByRole('link', { name: 'All groups' }).click()
    await heading(page, 'Groups').waitFor()
    await page.goto(page.url().replace('/groups', '/users/unknown/security'))
    await heading(page, 'User not found').waitFor()
    await page.getByRole('link', { name: 'All users' }).click()
    await heading(page, 'Users').waitFor()
  })

  it('lists the roles with their users, and describes the permissions of the chosen one', async () => {
    const page = await open('/roles')
    const list = page.getByRole('navigation', { name: 'Roles' })
    const owners = page.getByRole('region', { name: 'Owner', exact: true })
    await owners.getByText('Delete the team').waitFor()
    await list.getByRole('link', { name: /^Owner\s*1 user/ }).waitFor()
    await list.getByRole('link', { name: /^Help desk/ }).click()
    const helpDesk = page.getByRole('region', { name: 'Help desk' })
    await helpDesk.getByRole('heading', { name: 'Groups' }).waitFor()
    await helpDesk
      .getByText(/^Reset passwords and two-step verification/)
      .first()
      .waitFor()
    expect(await helpDesk.getByText('Delete the team').count()).toBe(0)
    await checkEveryView(page, 'roles')
    await list.getByRole('link', { name: /^Owner/ }).click()
    await owners.getByRole('link', { name: '1 user' }).click()
    await page.getByRole('link', { name: admin }).waitFor()
    expect(new URL(page.url()).searchParams.get('roleExact')).toBe('OWNER')
  })

  it('opens a role from the list on a phone', async () => {
    const page = await open('/roles')
    await page.setViewportSize({ width: 375, height: 812 })
    const list = page.getByRole('navigation', { name: 'Roles' })
    expect(await page.getByRole('link', { name: 'All roles' }).count()).toBe(0)
    await list.getByRole('link', { name: /^User admin/ }).click()
    await page.getByRole('region', { name: 'User admin' }).getByText('Add, edit, suspend and remove users').waitFor()
    expect(await list.count()).toBe(0)
    await checkEveryView(page, 'role-on-a-phone')
    await page.getByRole('link', { name: 'All roles' }).click()
    await expectFocus(list.getByRole('link', { name: /^User admin/ }))
  })

  it('keeps the focus on the button that leads to the last page of a list', async () => {
    await Promise.all(Array.from({ length: 26 }, (_, index) => owner().post('/groups', { name: `Group ${index}` })))
    const page = await open('/groups?limit=25')
    const next = page.getByRole('button', { name: 'Next page' })
    await next.click()
    await page.getByRole('button', { name: 'Previous page' }).and(page.locator(':not([aria-disabled])')).waitFor()
    expect(await next.isDisabled()).toBe(true)
    await expectFocus(next)
  })
})
