import { registerApp } from '../../doubles/relying-party.js'
import type { ApiResponse } from '../../harness/api.js'
import { LONG } from '../../harness/some-of.js'
import { attempt, attemptMailedLinks } from './held.js'
import { COMPANY_MARK, OWN_MARK } from './marks.js'
import { asBearer, asCompany, asHostile, memberOf, newPassword, type Scenario } from './scenario.js'
import { EVERY_VIEW, type View } from './team-acts.js'

type Team = 'hostile' | 'company'
type Shown = Partial<Record<View | 'session', string>>

const callOf = (scenario: Scenario, team: Team) => (team === 'hostile' ? asHostile(scenario) : asCompany(scenario))
const teamIdOf = ({ hostile, world }: Scenario, team: Team) =>
  team === 'hostile' ? hostile.teamId : world.company.teamId

/**
 * (1) No credential of the hostile team grants access to the friendly team, a team of the user, or the account, and no revoked one is
 * valid.
 * @param only tries only tokens, between two acts: an attempt with a password or a link affects later acts
 */
export async function checkHeld(scenario: Scenario, only: 'tokens' | 'everything' = 'everything'): Promise<void> {
  for (const one of [...scenario.held])
    if (only === 'everything' || (one.kind === 'session' && one.mustBeRevoked)) await attempt(scenario, one)
  if (only === 'everything') await attemptMailedLinks(scenario)
}

/** (2) The owner can sign in, in the way of the scenario. */
export function checkArrival({ faults }: Scenario, token: string | undefined): void {
  if (!token) faults.add('(2) the owner does not get in')
}

/** Matches the request ID of a problem document. */
const shown = ({ status, text, body }: ApiResponse): string =>
  status < 300 ? text : `{"code":"${status} ${body?.code}"}`

/** Reads everything that a team can see of the member, as strings; for the friendly team only the compared views. */
export async function viewOf(
  scenario: Scenario,
  team: Team,
  views: readonly View[] = LONG ? EVERY_VIEW : ['user', 'sessions', 'audit log'],
): Promise<Partial<Record<View, string>>> {
  const teamId = teamIdOf(scenario, team)
  const id = await memberOf(scenario, teamId)
  const call = callOf(scenario, team)
  const paths: Record<View, string | undefined> = {
    user: id && `/users/${id}`,
    sessions: id && `/users/${id}/sessions`,
    'audit log': '/audit/logs?limit=100',
    members: `/organizations/${teamId}/members`,
    users: '/users',
    scim: undefined,
  }
  const view: Partial<Record<View, string>> = {}
  for (const name of views) {
    const path = paths[name]
    if (path) view[name] = shown(await call('GET', path))
  }
  const { scim } = scenario.hostile
  if (views.includes('scim') && team === 'hostile' && scim) view.scim = shown(await scim.call('GET', '/Users'))
  return view
}

/** (4) The views of a team are the same before and after. */
export function compareViews({ faults }: Scenario, before: Shown, after: Shown, who: string, why: string): void {
  for (const [name, text] of Object.entries(after)) {
    const former = before[name as View]
    if (former === undefined || former === text) continue
    faults.add(`(4) ${who} sees in ${name} that ${why}: ${differenceOf(former, text)}`)
  }
}

/** Returns the names of the fields that differ, without values, so that two runs of one violation have the same message. */
function differenceOf(before: string, after: string): string {
  try {
    const [one, other] = [JSON.parse(before), JSON.parse(after)]
    if (Array.isArray(other.data) && other.data.length > one.data.length)
      return `${other.data.length - one.data.length} more: ${other.data[0].action ?? ''}`
    const [a, b] = [one.data?.find(Boolean) ?? one, other.data?.find(Boolean) ?? other]
    return Object.keys({ ...a, ...b })
      .filter((name) => JSON.stringify(a[name]) !== JSON.stringify(b[name]))
      .join(', ')
  } catch {
    return 'something'
  }
}

/** (4) The hostile team reads its own data, and no data of the user, the friendly team or a team of the user. */
export async function checkView(scenario: Scenario): Promise<void> {
  const { world, owner, faults } = scenario
  const view = await viewOf(scenario, 'hostile', LONG ? EVERY_VIEW : ['user', 'audit log'])
  const secrets: [string, string][] = [
    ['the friendly team', COMPANY_MARK],
    ['the friendly team', world.company.teamId],
    ...[...owner.teams].map((id): [string, string] => ['a team of the user', id]),
    ...(owner.confirmedHostile ? [] : [['the own profile', OWN_MARK] as [string, string]]),
  ]
  for (const [place, text] of Object.entries(view))
    for (const [what, secret] of secrets)
      if (text.includes(secret)) faults.add(`(4) the hostile team reads ${what} in ${place}`)
  const id = await memberOf(scenario, scenario.hostile.teamId)
  if (!id || owner.confirmedHostile) return
  const user = JSON.parse(view.user ?? '{}')
  for (const [field, written] of [
    ['firstName', ['Written', null]],
    ['lastName', ['By-the-hostile-team', null]],
    ['department', [null]],
    ['title', [null]],
    ['phone', [null]],
  ] as const)
    if (!(written as readonly unknown[]).includes(user[field]))
      faults.add(`(4) the hostile team reads a ${field} that it never wrote`)
}

type Request = [method: string, path: string, body?: unknown]

interface Administration {
  name: string
  requests(scenario: Scenario, team: Team): Request[] | Promise<Request[]>
}

const ADMINISTRATION: Administration[] = [
  {
    name: 'changes the role',
    requests: () => [
      ['PUT', '', { role: 'viewer' }],
      ['PUT', '', { role: 'member' }],
    ],
  },
  {
    name: 'assigns a group',
    requests: async (scenario, team) => [['PUT', '/groups', { groupIds: [await groupOf(scenario, team)] }]],
  },
  {
    name: 'assigns an application',
    requests: async (scenario, team) => [
      ['PUT', '/applications', { applicationIds: [await applicationOf(scenario, team)] }],
    ],
  },
  {
    name: 'suspends and reactivates',
    requests: () => [
      ['PUT', '', { status: 'suspended' }],
      ['PUT', '', { status: 'active' }],
    ],
  },
  { name: 'ends the sessions', requests: () => [['DELETE', '/sessions']] },
  { name: 'resets the factors', requests: () => [['POST', '/mfa/reset']] },
  { name: 'locks down', requests: () => [['POST', '/lock-down']] },
  { name: 'sets a leave date', requests: () => [['PUT', '', { leaveAt: '2099-01-01T00:00:00Z' }]] },
  {
    name: 'sets a temporary password',
    requests: () => [['POST', '/password-reset', { temporaryPassword: newPassword() }]],
  },
]

/** The number of administration acts that a scenario tries for each team. */
const SOME = LONG ? ADMINISTRATION.length : 2

/**
 * (3) Each team administers its own member, without a visible effect in the other team or in a session of it.
 * @param token a session of the user in the friendly team
 */
export async function checkAdministration(scenario: Scenario, token: string | undefined): Promise<void> {
  const { hostile, held, faults } = scenario
  const ofHostile = held.findLast((one) => one.kind === 'session' && !one.mustBeRevoked)
  const sessions: Record<Team, string | undefined> = {
    company: token,
    hostile: ofHostile?.kind === 'session' ? ofHostile.token : undefined,
  }
  const start = Math.floor(scenario.random() * ADMINISTRATION.length)
  for (const [team, other] of [
    ['hostile', 'company'],
    ['company', 'hostile'],
  ] as const) {
    if (team === 'hostile' && hostile.suspended) continue
    const id = await memberOf(scenario, teamIdOf(scenario, team))
    if (!id && team === 'company') faults.add('(3) the user is not a member of the friendly team')
    if (!id) continue
    const before = await othersView(scenario, other, sessions[other])
    const names: string[] = []
    for (let index = 0; index < SOME; index++) {
      const { name, requests } = ADMINISTRATION[(start + index) % ADMINISTRATION.length] as Administration
      names.push(name)
      for (const [method, path, body] of await requests(scenario, team)) {
        const { status, body: why } = await callOf(scenario, team)(method, `/users/${id}${path}`, body)
        if (status !== 200) faults.add(`(3) the ${team} team cannot act (${name}): ${status} ${why?.code}`)
      }
    }
    const after = await othersView(scenario, other, sessions[other])
    compareViews(scenario, before, after, `the ${other} team`, `the ${team} team ${names.join(', ')}`)
  }
}

/** Reads the team's view of the user, and the view of a session of the user in the team. */
async function othersView(scenario: Scenario, team: Team, token: string | undefined): Promise<Shown> {
  // The log of the friendly team contains entries of concurrent scenarios.
  const view: Shown = await viewOf(scenario, team, team === 'company' ? ['user', 'sessions'] : undefined)
  if (!token) return view
  const { status, text } = await asBearer(scenario, token)('GET', '/auth/me')
  return { ...view, session: status === 200 ? text : `{"ended":${status}}` }
}

async function groupOf(scenario: Scenario, team: Team): Promise<string> {
  const { world, hostile } = scenario
  if (team === 'company') return world.company.groupId
  hostile.groupId ??= (await asHostile(scenario)('POST', '/groups', { name: 'Group' })).body.id as string
  return hostile.groupId
}

async function applicationOf(scenario: Scenario, team: Team): Promise<string> {
  const { world, hostile } = scenario
  if (team === 'company') return world.company.app.id
  hostile.appId ??= (await registerApp(world.service, hostile)).id
  return hostile.appId
}
