import { randomBytes } from 'node:crypto'
import type { NamedQuery } from '../../src/platform/db/named-query.js'
import type { ApiAnswer } from '../api.js'
import type { Authenticator } from '../authenticator.js'
import { newEmail, registerUser, type TestUser } from '../factories.js'
import { answerByPasskey } from '../factors.js'
import { type Directory, makeDirectory } from '../scim.js'
import { addProvider, oidcProvider } from '../sso.js'
import type { Held } from './held.js'
import { newBase, READER_PASSWORD, readerOf, type World } from './world.js'

/** The person to whom the email address belongs, with what they know. */
export interface Owner {
  /** They verified the address: from then on their credentials stay, and no team can end them. */
  verified: boolean
  /** The account that they verified: only they can lose it. */
  accountId?: string | undefined
  password?: string | undefined
  passkey?: Authenticator | undefined
  /** The access token of their newest unrestricted session. */
  token?: string | undefined
  /** Teams that they opened and that belong to neither of the two teams. */
  teams: Set<string>
  /** Their newest session has the hostile team open: what they do in it is in that team's log. */
  inHostile: boolean
  /** They once did what confirms the hostile team. */
  confirmedHostile: boolean
}

/** The hostile team (A): a fresh one for each scenario, since its settings are part of what it does. */
export interface HostileTeam extends TestUser {
  /** The email address that the team itself reads. */
  mailbox: string
  suspended: boolean
  scim?: Directory
  providerId?: string
  subject: string
  base?: string
  groupId?: string
  appId?: string
}

/** One email address, the hostile team, and what happened between them. */
export interface Scenario {
  world: World
  email: string
  hostile: HostileTeam
  /** Everything that the hostile team received and that may open something. */
  held: Held[]
  owner: Owner
  /** Broken invariants, in words that name no ID: two runs of one fault say the same. */
  faults: Set<string>
  random: () => number
}

export async function openScenario(world: World, random: () => number): Promise<Scenario> {
  const hostile = await registerUser(world.service)
  return {
    world,
    email: newEmail('victim'),
    hostile: { ...hostile, mailbox: newEmail('mailbox'), subject: randomBytes(8).toString('hex'), suspended: false },
    held: [],
    owner: { verified: false, inHostile: false, teams: new Set(), confirmedHostile: false },
    faults: new Set(),
    random,
  }
}

type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<ApiAnswer>

const caller =
  ({ world }: Scenario, token: string | undefined): Call =>
  (method, path, body, headers = {}) =>
    world.service.api(method, `/api/v1${path}`, { token, headers, ...(body !== undefined && { body }) })

/** As the owner of the hostile team. */
export const asHostile = (scenario: Scenario): Call => caller(scenario, scenario.hostile.token)
/** As the owner of the friendly team. */
export const asCompany = (scenario: Scenario): Call => caller(scenario, scenario.world.company.token)
export const asBearer = (scenario: Scenario, token: string | undefined): Call => caller(scenario, token)
export const asAnyone = (scenario: Scenario): Call => caller(scenario, undefined)

export const newPassword = (): string => `only once ${randomBytes(12).toString('hex')}`

interface Account {
  id: string
  verified: boolean
}

// Both are sent between all acts. Prepared, they cost a fifth.
const FIND_ACCOUNT: NamedQuery<Account, [string]> = {
  name: 'hostile_team.find_account',
  text: 'SELECT id, email_verified_at IS NOT NULL AS verified FROM users WHERE email = $1',
}
const FIND_MEMBER: NamedQuery<{ id: string }, [string, string]> = {
  name: 'hostile_team.find_member',
  text: 'SELECT u.id FROM users u JOIN memberships m ON m.user_id = u.id WHERE u.email = $1 AND m.organization_id = $2',
}

/** The account that has the email address now. */
export async function accountOf({ world, email }: Scenario): Promise<Account | undefined> {
  return (await world.service.db.run(FIND_ACCOUNT, [email]))[0]
}

/** (2) The account that the owner verified stays theirs. */
export async function checkAccount(scenario: Scenario): Promise<void> {
  const { owner, faults } = scenario
  if (!owner.verified) return
  const account = await accountOf(scenario)
  owner.accountId ??= account?.id
  if (account?.id !== owner.accountId) faults.add('(2) the owner loses the account that they verified')
}

/** The account, if it is a member of the team. */
export async function memberOf({ world, email }: Scenario, teamId: string): Promise<string | undefined> {
  return (await world.service.db.run(FIND_MEMBER, [email, teamId]))[0]?.id
}

export async function scimOf({ world, hostile }: Scenario): Promise<Directory> {
  hostile.scim ??= await makeDirectory(world.service, hostile)
  return hostile.scim
}

export async function providerOf({ world, hostile }: Scenario): Promise<string> {
  const fields = { autoProvision: true, allowedDomains: ['example.com'] }
  hostile.providerId ??= (await addProvider(world.service, hostile, oidcProvider(world.idp, fields))).id as string
  return hostile.providerId
}

/** The directory of the hostile team, which has the email address and a password for it. */
export async function directoryOf(scenario: Scenario): Promise<string> {
  const { world, hostile, email } = scenario
  if (hostile.base) return hostile.base
  hostile.base = newBase()
  world.entries.set(hostile.base, { email, password: newPassword() })
  await asHostile(scenario)('POST', '/directory/ldap/config', {
    ldapUrl: `ldap://127.0.0.1:${world.ldap.port}`,
    ldapBaseDn: hostile.base,
    ldapBindDn: readerOf(hostile.base),
    ldapBindPassword: READER_PASSWORD,
    preset: 'openldap',
    signInEnabled: true,
  })
  return hostile.base
}

/** The token in the mail that an act causes; undefined where the act was rejected. */
export async function mailCausedBy(
  { world: { post } }: Scenario,
  email: string,
  kind: string,
  act: () => Promise<ApiAnswer>,
): Promise<string | undefined> {
  const before = post.of(email, kind).length
  const { status } = await act()
  if (status >= 300) return undefined
  const { link } = await post.next(email, kind, before)
  return tokenOf(link)
}

/** Every link carries its token in the query, or as the last part of the path. */
export function tokenOf(link: string): string {
  const { searchParams, pathname } = new URL(link)
  return searchParams.get('token') ?? pathname.split('/').at(-1) ?? ''
}

/**
 * Ends a sign-in of the owner: answers the second factor with their own passkey, or continues in another team where only a factor of the
 * team answers, and remembers the session.
 * @returns the Session; undefined if the sign-in was rejected
 */
export async function finishSignIn(
  scenario: Scenario,
  answer: Pick<ApiAnswer, 'status' | 'body'>,
): Promise<ApiAnswer['body'] | undefined> {
  const { world, owner, faults } = scenario
  if (answer.status >= 300) return undefined
  if (!answer.body.mfaRequired) return rememberSession(scenario, answer.body)
  const { mfaToken, mfaOtherTeams } = answer.body
  // A team that the user confirmed may be the default team, and enrolls factors that are valid in it alone.
  if (mfaOtherTeams)
    return finishSignIn(scenario, await asAnyone(scenario)('POST', '/auth/mfa/other-team', { mfaToken }))
  if (!owner.passkey) {
    faults.add('(2) the owner is asked for a factor that they never enrolled')
    return undefined
  }
  try {
    const second = await answerByPasskey(world.service, mfaToken, owner.passkey)
    return second.status < 300 ? rememberSession(scenario, second.body) : undefined
  } catch (error) {
    faults.add(`(2) the owner cannot answer the challenge: ${(error as Error).message.split('\n')[0]}`)
    return undefined
  }
}

function rememberSession(scenario: Scenario, session: ApiAnswer['body']): ApiAnswer['body'] {
  const { world, owner, hostile } = scenario
  owner.token = session.accessToken
  const { id } = session.team
  owner.inHostile = id === hostile.teamId
  if (![hostile.teamId, world.company.teamId, world.instanceTeamId].includes(id)) owner.teams.add(id)
  return session
}

/** The owner verified the address: everything that was created before must be gone. */
export function recordVerification(scenario: Scenario, { inOwnSession = false } = {}): void {
  const { owner, held } = scenario
  if (owner.verified) return
  owner.verified = true
  for (const one of held)
    if (!(inOwnSession && one.team) && !isOfTeam(one)) one.mustBeRevoked ??= 'the first verification'
  if (inOwnSession) return
  owner.password = undefined
  owner.passkey = undefined
  owner.token = undefined
}

/** The member was suspended: what is open in the team is gone; its passwords and factors are not accepted until it is reactivated. */
export function recordSuspension({ held }: Scenario): void {
  for (const one of held)
    if (one.team && /session|grant|API token/.test(one.kind)) one.mustBeRevoked ??= 'the suspension'
}

/** The member was removed: everything that is restricted to the team is gone, also when they are added again. */
export function recordRemoval({ held }: Scenario): void {
  for (const one of held) if (one.team && !isOfTeam(one)) one.mustBeRevoked ??= 'the removal'
}

/** The team's own means: its provider and its directory sign in every user whom it adds. */
const isOfTeam = ({ kind }: Held): boolean => kind === 'identity provider' || kind === 'directory password'
