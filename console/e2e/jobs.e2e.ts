import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe'
import { at, cannotRun, newPage, useBrowser } from './browser'
import { operate, SCREENS, type Way } from './jobs'
import { heading, newAddress, signInByApi } from './people'
import { joinByInvitation, type Program, registerProgram } from './programs'

useBrowser()

/** A user, group and invitation of its own for each run of a job. */
interface Target {
  user: { id: string; email: string; name: string }
  group: { id: string; name: string }
  invited: string
}

interface Job {
  name: string
  /** roles that may, the first of which an ordinary run has */
  may: string[]
  /** a role that may not */
  mayNot: string
  path: (target: Target) => string
  /** what comes before the job on the page, also for a role that may not */
  before?: (page: Page, target: Target) => Promise<void>
  /** what a role that may not does not find on the page, or instead of the page */
  offered: (page: Page, target: Target) => ReturnType<Page['locator']>
  run: (page: Page, way: Way, target: Target) => Promise<unknown>
}

const TOP = ['ORG_ADMIN', 'SUPER_ADMIN', 'OWNER']
const userPage = ({ user }: Target) => `/users/${user.id}`
const more = (page: Page) => page.getByRole('button', { name: 'More actions' })
const dialogOf = (page: Page) => page.getByRole('dialog').last()

async function confirm(page: Page, way: Way, verb: string) {
  await way.press(dialogOf(page).getByRole('button', { name: verb, exact: true }))
}

/** Opens the menu of the user and picks an entry. */
async function pickMore(page: Page, way: Way, entry: string) {
  await way.press(more(page))
  await way.pick(page.getByRole('menuitem', { name: entry }))
}

let retentionDays = 3_650

const JOBS: Job[] = [
  {
    name: 'invites two users',
    may: TOP,
    mayNot: 'USER_ADMIN',
    path: () => '/users',
    offered: (page) => page.getByRole('button', { name: 'Invite users' }),
    async run(page, way) {
      await way.press(page.getByRole('button', { name: 'Invite users' }))
      await dialogOf(page)
        .getByRole('textbox', { name: 'Email addresses' })
        .fill(`${newAddress('one')}, ${newAddress('two')}`)
      await confirm(page, way, 'Send invitations')
      await page.getByText('2 invitations sent').waitFor()
    },
  },
  {
    name: 'suspends and activates a user',
    may: ['USER_ADMIN', ...TOP],
    mayNot: 'HELP_DESK_ADMIN',
    path: userPage,
    offered: (page) => page.getByRole('button', { name: 'Suspend' }),
    async run(page, way, { user }) {
      await way.press(page.getByRole('button', { name: 'Suspend' }))
      await confirm(page, way, 'Suspend')
      await page.getByText(`${user.name} was suspended`).waitFor()
      await way.press(page.getByRole('button', { name: 'Activate' }))
      await page.getByText(`${user.name} was activated`).waitFor()
    },
  },
  {
    name: 'changes the role of a user',
    may: TOP,
    mayNot: 'VIEWER',
    path: userPage,
    offered: more,
    async run(page, way) {
      await pickMore(page, way, 'Change role')
      await way.choose(dialogOf(page).getByRole('combobox', { name: 'Role' }), 'Viewer')
      await confirm(page, way, 'Change role')
      await page.getByText('Role changed').waitFor()
    },
  },
  {
    name: 'resets the two-step verification of a user',
    may: ['HELP_DESK_ADMIN', 'USER_ADMIN', ...TOP],
    mayNot: 'VIEWER',
    path: userPage,
    offered: more,
    async run(page, way) {
      await pickMore(page, way, 'Reset two-step')
      await confirm(page, way, 'Reset two-step')
      await page.getByText('Two-step verification was reset').waitFor()
    },
  },
  {
    name: 'locks an account down',
    may: ['HELP_DESK_ADMIN', 'USER_ADMIN', ...TOP],
    mayNot: 'READ_ONLY_ADMIN',
    path: userPage,
    offered: more,
    async run(page, way, { user }) {
      await pickMore(page, way, 'Lock down account')
      await confirm(page, way, 'Lock down account')
      await page.getByText(`${user.name} was locked down`).waitFor()
    },
  },
  {
    name: 'schedules a leave date',
    may: ['USER_ADMIN', ...TOP],
    mayNot: 'VIEWER',
    path: userPage,
    offered: more,
    async run(page, way) {
      await pickMore(page, way, 'Schedule leave date')
      await dialogOf(page).getByLabel('Leave date').fill('2090-01-01')
      await confirm(page, way, 'Save')
      await page.getByText('2090-01-01').waitFor()
    },
  },
  {
    name: 'checks why a user can open an application',
    may: ['VIEWER', 'USER_ADMIN', 'APP_ADMIN', ...TOP],
    mayNot: 'GROUP_MEMBERSHIP_ADMIN',
    path: (target) => `${userPage(target)}/access`,
    offered: (page) => page.getByRole('button', { name: 'Check access' }),
    async run(page, way, { user }) {
      await way.press(page.getByRole('button', { name: 'Check access' }))
      await way.choose(dialogOf(page).getByRole('combobox', { name: 'Application' }), 'Wiki')
      await dialogOf(page).getByText(`${user.name} can open this application`).waitFor()
    },
  },
  {
    name: 'adds several users to a group',
    may: ['GROUP_MEMBERSHIP_ADMIN', 'USER_ADMIN', ...TOP],
    mayNot: 'VIEWER',
    path: ({ user }) => `/users?q=${encodeURIComponent(user.email)}`,
    offered: (page) => page.getByRole('checkbox', { name: /^Select Ann/ }),
    async run(page, way, { user, group }) {
      await way.press(page.getByRole('checkbox', { name: `Select ${user.name}` }))
      await way.press(page.getByRole('button', { name: 'Add to group' }))
      await way.choose(dialogOf(page).getByRole('combobox', { name: 'Group' }), group.name)
      await confirm(page, way, 'Add to group')
      await dialogOf(page).getByText('1 user changed').waitFor()
    },
  },
  {
    name: 'creates a group',
    may: TOP,
    mayNot: 'USER_ADMIN',
    path: () => '/groups',
    offered: (page) => page.getByRole('button', { name: 'Create group' }),
    async run(page, way) {
      await way.press(page.getByRole('button', { name: 'Create group' }))
      await dialogOf(page)
        .getByRole('textbox', { name: 'Name' })
        .fill(`Group ${newAddress('group')}`)
      await confirm(page, way, 'Create group')
      await page.getByText('Group created').waitFor()
    },
  },
  {
    name: 'adds a member to a group as a pending change',
    may: ['GROUP_MEMBERSHIP_ADMIN', 'USER_ADMIN', ...TOP],
    mayNot: 'HELP_DESK_ADMIN',
    path: ({ group }) => `/groups/${group.id}`,
    before: (page, { user }) => page.getByRole('searchbox', { name: 'Find users by name or email' }).fill(user.email),
    offered: (page) => page.getByRole('button', { name: /^Add / }),
    async run(page, way, { user }) {
      await way.press(page.getByRole('button', { name: `Add ${user.name}` }))
      await page.getByText('1 unsaved change').waitFor()
      await way.press(page.getByRole('button', { name: 'Save', exact: true }))
      await page.getByText('Members saved').waitFor()
    },
  },
  {
    name: 'revokes an invitation',
    may: TOP,
    mayNot: 'READ_ONLY_ADMIN',
    path: () => '/invitations',
    offered: (page, { invited }) => page.getByRole('button', { name: `Actions for ${invited}` }),
    async run(page, way, { invited }) {
      await way.press(page.getByRole('button', { name: `Actions for ${invited}` }))
      await way.pick(page.getByRole('menuitem', { name: 'Revoke' }))
      await confirm(page, way, 'Revoke')
      await page.getByText('Invitation revoked').waitFor()
    },
  },
  {
    name: 'changes the name of the team',
    may: TOP,
    mayNot: 'USER_ADMIN',
    path: () => '/settings',
    offered: (page) => page.getByRole('textbox', { name: 'Name', exact: true }).and(page.locator(':not([readonly])')),
    async run(page, way) {
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`Team ${Date.now()}`)
      await way.press(page.getByRole('button', { name: 'Save', exact: true }))
      await page.getByText('Saved', { exact: true }).first().waitFor()
    },
  },
  {
    name: 'shortens the retention of the audit log',
    may: TOP,
    mayNot: 'REPORT_ADMIN',
    path: () => '/settings/audit-retention',
    offered: (page) => page.getByRole('combobox', { name: 'Keep entries in the log' }),
    async run(page, way) {
      await way.choose(page.getByRole('combobox', { name: 'Keep entries in the log' }), 'Custom')
      // Each run shortens it.
      retentionDays -= 1
      await page.getByRole('textbox', { name: 'Days' }).fill(String(retentionDays))
      await way.press(page.getByRole('button', { name: 'Save', exact: true }))
      await confirm(page, way, 'Move older entries')
      await page.getByText('Saved', { exact: true }).first().waitFor()
    },
  },
]

/** Lets axe ignore that a toast covers a part of a button for some seconds, and the footer of a list until the user scrolls. */
const ignoreCovers = (page: Page) =>
  page.evaluate(() => {
    for (const element of document.querySelectorAll<HTMLElement>('body *'))
      if (
        getComputedStyle(element).position === 'sticky' ||
        element.matches('.mantine-Notification-root, .mantine-Notification-root *')
      )
        element.style.pointerEvents = 'none'
  })

const rolesOf = ({ may }: Job) => (process.env.KEYWARD_LONG ? may : may.slice(0, 1))

describe.skipIf(cannotRun)('the jobs of the pages about people', () => {
  let owner: Program
  const emails = new Map<string, string>()

  beforeAll(async () => {
    owner = await registerProgram(newAddress('jobs'))
    await owner.post('/applications', { name: 'Wiki', type: 'OIDC', redirectUris: ['https://wiki.example.com/cb'] })
    for (const role of new Set(JOBS.flatMap((job) => [...rolesOf(job), job.mayNot]))) {
      const email = newAddress(role.toLowerCase())
      await joinByInvitation(owner, await registerProgram(email), email, role)
      emails.set(role, email)
    }
  })

  async function newTarget(): Promise<Target> {
    const email = newAddress('target')
    const lastName = email.split('@')[0] ?? ''
    const invited = newAddress('invited')
    const user = await owner.post('/users', { email, firstName: 'Ann', lastName })
    const group = await owner.post('/groups', { name: `Team of ${lastName}` })
    await owner.post(`/organizations/${owner.teamId}/members/invite`, { email: invited, role: 'MEMBER' })
    return {
      user: { id: String(user.id), email, name: `Ann ${lastName}` },
      group: { id: String(group.id), name: String(group.name) },
      invited,
    }
  }

  async function open(job: Job, role: string, target: Target, screen: (typeof SCREENS)[number]) {
    const page = await newPage()
    const way = await operate(page, screen)
    await signInByApi(page, emails.get(role) ?? '', owner.teamId)
    await page.goto(at(`/t/${owner.slug}${job.path(target)}`))
    return { page, way }
  }

  describe.each(JOBS.map((job) => ({ ...job, job })))('$name', ({ job }) => {
    it.each(SCREENS.flatMap((screen) => rolesOf(job).map((role) => ({ ...screen, screen, role }))))(
      'works for $role with the $input at $width px in $scheme',
      async ({ screen, role }) => {
        const target = await newTarget()
        const { page, way } = await open(job, role, target, screen)
        await job.before?.(page, target)
        await job.offered(page, target).first().waitFor()
        await job.run(page, way, target)
        await ignoreCovers(page)
        expect(await violations(page)).toEqual([])
      },
    )

    it(`offers nothing to ${job.mayNot}`, async () => {
      const target = await newTarget()
      const { page } = await open(job, job.mayNot, target, SCREENS[0] as (typeof SCREENS)[number])
      await heading(page, /./).waitFor()
      await job.before?.(page, target)
      await page.waitForLoadState('networkidle')
      expect(await job.offered(page, target).count()).toBe(0)
    })
  })
})
