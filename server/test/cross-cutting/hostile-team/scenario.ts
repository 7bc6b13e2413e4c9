import { randomBytes } from 'node:crypto'
import type { NamedQuery } from '../../../src/platform/db/named-query.js'
import type { Authenticator } from '../../factories/authenticator.js'
import { newEmail, registerUser, type TestUser } from '../../factories/factories.js'
import { completeChallengeWithPasskey } from '../../factories/factors.js'
import { type Directory, makeDirectory } from '../../factories/scim.js'
import { addProvider, oidcProvider } from '../../factories/sso.js'
import type { ApiResponse } from '../../harness/api.js'
import type { Held } from './held.js'
import { newBase, READER_PASSWORD, readerOf, type World } from './world.js'

/** The owner of the email address, with their credentials. */
export interface Owner {
  /** Whether they verified the email address: after that, no team can revoke their credentials. */
  verified: boolean
  /** The account that they verified, which no team can take away. */
  accountId?: string | undefined
  password?: string | undefined
  passkey?: Authenticator | undefined
  /** The access token of their newest unrestricted session. */
  token?: string | undefined
  /** Other teams that they used. */
  teams: Set<string>
  /** Whether the hostile team is the current team of their newest session, so that its log records their requests. */
  inHostile: boolean
  /** Whether they have confirmed the hostile team. */
  confirmedHostile: boolean
}

/** The hostile team (A). Each scenario creates a new one, because its acts change its settings. */
export interface HostileTeam extends TestUser {
  /** The email address of a mailbox that the team can read. */
  mailbox: string
  suspended: boolean
  scim?: Directory
  providerId?: string
  subject: string
  base?: string
  groupId?: string
  appId?: string
}

/** The state of a scenario: one email address, its owner and the hostile team. */
export interface Scenario {
  world: World
  email: string
  hostile: HostileTeam
  /** The credentials of the hostile team. */
  held: Held[]
  owner: Owner
  /** Messages of violated invariants, without IDs, so that two runs of one violation have the same message. */
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

type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<ApiResponse>

const caller =
  ({ world }: Scenario, token: string | undefined): Call =>
  (method, path, body, headers = {}) =>
    world.service.api(method, `/api/v1${path}`, { token, headers, ...(body !== undefined && { body }) })

/** Sends requests as the owner of the hostile team. */
export const asHostile = (scenario: Scenario): Call => caller(scenario, scenario.hostile.token)
/** Sends requests as the owner of the friendly team. */
export const asCompany = (scenario: Scenario): Call => caller(scenario, scenario.world.company.token)
export const asBearer = (scenario: Scenario, token: string | undefined): Call => caller(scenario, token)
export const asAnyone = (scenario: Scenario): Call => caller(scenario, undefined)

export const newPassword = (): string => `only once ${randomBytes(12).toString('hex')}`

interface Account {
  id: string
  verified: boolean
}

// Both run after every act. As prepared statements they cost a fifth.
const FIND_ACCOUNT: NamedQuery<Account, [string]> = {
  name: 'hostile_team.find_account',
  text: 'SELECT id, email_verified_at IS NOT NULL AS verified FROM users WHERE email = $1',
}
const FIND_MEMBER: NamedQuery<{ id: string }, [string, string]> = {
  name: 'hostile_team.find_member',
  text: 'SELECT u.id FROM users u JOIN memberships m ON m.user_id = u.id WHERE u.email = $1 AND m.organization_id = $2',
}

/** Returns the account with the email address. */
export async function accountOf({ world, email }: Scenario): Promise<Account | undefined> {
  return (await world.service.db.run(FIND_ACCOUNT, [email]))[0]
}

/** (2) The owner keeps the account that they verified. */
export async function checkAccount(scenario: Scenario): Promise<void> {
  const { owner, faults } = scenario
  if (!owner.verified) return
  const account = await accountOf(scenario)
  owner.accountId ??= account?.id
  if (account?.id !== owner.accountId) faults.add('(2) the owner loses the account that they verified')
}

/** Returns the ID of the account if it is a member of the team. */
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

/** Configures the directory of the hostile team, which contains the email address with a password. */
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

/** Returns the token in the mail that an act causes; undefined if the act was rejected. */
export async function mailCausedBy(
  { world: { post } }: Scenario,
  email: string,
  kind: string,
  act: () => Promise<ApiResponse>,
): Promise<string | undefined> {
  const before = post.of(email, kind).length
  const { status } = await act()
  if (status >= 300) return undefined
  const { link } = await post.next(email, kind, before)
  return tokenOf(link)
}

/** Returns the token of a link, from the query or the last path segment. */
export function tokenOf(link: string): string {
  const { searchParams, pathname } = new URL(link)
  return searchParams.get('token') ?? pathname.split('/').at(-1) ?? ''
}

/**
 * Completes a sign-in of the owner with their own passkey, or in another team if only a factor of the team is accepted, and stores the
 * session.
 * @returns the Session; undefined if the sign-in was rejected
 */
export async function finishSignIn(
  scenario: Scenario,
  answer: Pick<ApiResponse, 'status' | 'body'>,
): Promise<ApiResponse['body'] | undefined> {
  const { world, owner, faults } = scenario
  if (answer.status >= 300) return undefined
  if (!answer.body.mfaRequired) return rememberSession(scenario, answer.body)
  const { mfaToken, mfaOtherTeams } = answer.body
  // A confirmed team may be the default team, and can enroll factors that are valid in it alone.
  if (mfaOtherTeams)
    return finishSignIn(scenario, await asAnyone(scenario)('POST', '/auth/mfa/other-team', { mfaToken }))
  if (!owner.passkey) {
    faults.add('(2) the sign-in requires a factor that the owner never enrolled')
    return undefined
  }
  try {
    const second = await completeChallengeWithPasskey(world.service, mfaToken, owner.passkey)
    return second.status < 300 ? rememberSession(scenario, second.body) : undefined
  } catch (error) {
    faults.add(`(2) the owner cannot complete the challenge: ${(error as Error).message.split('\n')[0]}`)
    return undefined
  }
}

function rememberSession(scenario: Scenario, session: ApiResponse['body']): ApiResponse['body'] {
  const { world, owner, hostile } = scenario
  owner.token = session.accessToken
  const { id } = session.team
  owner.inHostile = id === hostile.teamId
  if (![hostile.teamId, world.company.teamId, world.instanceTeamId].includes(id)) owner.teams.add(id)
  return session
}

/** Records the first verification: all earlier credentials must be revoked. */
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

/** Records a suspension: sessions, grants and tokens in the team end. Its passwords and factors are invalid until the reactivation. */
export function recordSuspension({ held }: Scenario): void {
  for (const one of held)
    if (one.team && /session|grant|API token/.test(one.kind)) one.mustBeRevoked ??= 'the suspension'
}

/** Records a removal: all credentials restricted to the team end, even if the member is added again. */
export function recordRemoval({ held }: Scenario): void {
  for (const one of held) if (one.team && !isOfTeam(one)) one.mustBeRevoked ??= 'the removal'
}

/** The provider and the directory of the team, which sign in every member. */
const isOfTeam = ({ kind }: Held): boolean => kind === 'identity provider' || kind === 'directory password'
