import { isActive, refresh, type TestApp, userinfo } from '../../doubles/relying-party.js'
import type { Authenticator } from '../../factories/authenticator.js'
import { codeOf } from '../../factories/factors.js'
import { directoryWith } from '../../factories/scim.js'
import { signInBy } from '../../factories/sso.js'
import { OWN_MARK } from './marks.js'
import { asAnyone, asBearer, newPassword, type Scenario, tokenOf } from './scenario.js'

/** A credential that the hostile team holds. */
export type Held = {
  /** The act that obtained it, for the message of a violation. */
  from: string
  /** The reason why it must no longer be valid. */
  mustBeRevoked?: string
  /** Whether it is restricted to the team: then it grants access to this team and ends with the membership. */
  team: boolean
  /** Whether it is a temporary password or comes from a session started by one: then it ends with a reset by mail. */
  temporary?: boolean
} & (
  | { kind: 'session'; token: string; refreshToken: string }
  | { kind: 'password'; password: string; device?: string | undefined }
  | { kind: 'directory password'; password: string }
  | { kind: 'passkey'; authenticator: Authenticator }
  | { kind: 'authenticator app'; secret: string; backupCodes: string[] }
  | { kind: 'API token'; token: string }
  | { kind: 'SCIM token'; token: string }
  | { kind: 'grant'; app: TestApp; accessToken: string; refreshToken: string }
  | { kind: 'identity provider' }
)

const nameOf = ({ kind, from }: Held): string => `the ${kind} of "${from}"`

/** Returns the teams to which no credential of the hostile team may grant access. */
const protectedTeams = ({ world, owner }: Scenario): string[] => [
  world.company.teamId,
  world.instanceTeamId,
  ...(owner.verified ? owner.teams : []),
]

/** Presents an access token to every resource that it must not grant access to. */
async function present(scenario: Scenario, token: string, name: string, mustBeRevoked?: string): Promise<void> {
  const { world, email, hostile, owner, faults } = scenario
  const call = asBearer(scenario, token)
  const { status, body: me, text } = await call('GET', '/auth/me')
  for (const teamId of status === 401 ? [world.company.teamId] : protectedTeams(scenario)) {
    const answer = await call('GET', `/organizations/${teamId}`)
    if (answer.status === 200) faults.add(`(1) ${name} opens a protected team`)
  }
  if (status === 401) return
  // After a change of the email address, the session belongs to another account than the user's.
  const isOtherAccount = status === 200 && me.user.email !== email
  if (mustBeRevoked && !isOtherAccount) faults.add(`(1) ${name} outlives ${mustBeRevoked}`)
  // The account may have the team's own email address by now; then it is the team's own account.
  if (status !== 200 || me.user.email !== email) return
  if (owner.verified && !me.session.confined) faults.add(`(1) ${name} is unrestricted in the account of the owner`)
  if (owner.verified && me.team.id !== hostile.teamId) faults.add(`(1) ${name} opens another team than the hostile one`)
  if (me.instanceAdmin) faults.add(`(1) ${name} administers the instance`)
  if (!owner.confirmedHostile && owner.verified && text.includes(OWN_MARK))
    faults.add(`(4) ${name} reads the own profile`)
  const switched = await call('POST', '/auth/switch-team', { teamId: world.company.teamId })
  if (switched.status === 200) faults.add(`(1) ${name} switches to the friendly team`)
}

/** Completes a sign-in with each factor that the hostile team holds, and presents an issued session. */
async function goOn(scenario: Scenario, body: SessionBody, name: string, mustBeRevoked?: string): Promise<void> {
  if (body.accessToken) return present(scenario, body.accessToken, name, mustBeRevoked)
  if (!body.mfaToken) return
  const { world, held } = scenario
  const apps = held.filter((one) => one.kind === 'authenticator app')
  for (const { secret, backupCodes } of apps)
    for (const [code, isBackupCode] of [
      [codeOf(secret, world.service.clock.ms()), false],
      [backupCodes.pop() ?? '', true],
    ] as const) {
      const answer = await asAnyone(scenario)('POST', '/auth/mfa/verify-challenge', {
        mfaToken: body.mfaToken,
        code,
        isBackupCode,
      })
      if (answer.status === 200) return present(scenario, answer.body.accessToken, name, mustBeRevoked)
    }
  const { company, service } = world
  for (const teamId of [company.teamId, undefined]) {
    const answer = await service.api('POST', '/api/v1/auth/mfa/other-team', {
      body: { mfaToken: body.mfaToken, ...(teamId && { teamId }) },
    })
    if (answer.status === 200) return goOn(scenario, answer.body, name, mustBeRevoked)
  }
}

type SessionBody = { accessToken?: string; mfaToken?: string }

/** Tries one credential of the hostile team in every way and records forbidden access. */
export async function attempt(scenario: Scenario, one: Held): Promise<void> {
  const { world, email, hostile, owner, faults } = scenario
  const { service, company } = world
  const name = nameOf(one)
  const { mustBeRevoked } = one
  const anyone = asAnyone(scenario)
  const targets = [undefined, hostile.teamId, company.teamId, ...owner.teams]
  switch (one.kind) {
    case 'session': {
      await present(scenario, one.token, name, mustBeRevoked)
      const answer = await anyone('POST', '/auth/refresh', { refreshToken: one.refreshToken })
      if (answer.status !== 200) return
      one.refreshToken = answer.body.refreshToken
      return present(scenario, answer.body.accessToken, `the refresh token of "${one.from}"`, mustBeRevoked)
    }
    case 'password':
    case 'directory password':
      for (const teamId of targets) {
        const cookies: Record<string, string> =
          one.kind === 'password' && one.device ? { keyward_device: one.device } : {}
        const body = { email, password: one.password, ...(teamId && { teamId }) }
        const answer = await service.api('POST', '/api/v1/auth/login', { body, cookies })
        if (answer.status === 200 && mustBeRevoked) faults.add(`(1) ${name} outlives ${mustBeRevoked}`)
        if (answer.status === 200) await goOn(scenario, answer.body, name, mustBeRevoked)
      }
      return
    case 'passkey':
      for (const teamId of [undefined, hostile.teamId, company.teamId]) {
        const options = await anyone('POST', '/auth/passkey/options')
        const credential = one.authenticator.get(options.body)
        const answer = await anyone('POST', '/auth/passkey/verify', { credential, ...(teamId && { teamId }) })
        if (answer.status === 200) await goOn(scenario, answer.body, name, mustBeRevoked)
      }
      return
    case 'authenticator app':
      return
    case 'API token':
      for (const teamId of [company.teamId, ...owner.teams]) {
        const answer = await asBearer(scenario, one.token)('GET', '/users', undefined, { 'x-org-id': teamId })
        if (answer.status === 200) faults.add(`(1) ${name} reads another team`)
      }
      if (mustBeRevoked && (await asBearer(scenario, one.token)('GET', '/users')).status === 200)
        faults.add(`(1) ${name} outlives ${mustBeRevoked}`)
      return
    case 'SCIM token':
      for (const teamId of [company.teamId, hostile.teamId, ...owner.teams]) {
        const { status } = await directoryWith(service, one.token, '', teamId).call('GET', '/Users?count=1')
        if (status === 200 && teamId !== hostile.teamId) faults.add(`(1) ${name} reads another team`)
        if (status === 200 && mustBeRevoked) faults.add(`(1) ${name} outlives ${mustBeRevoked}`)
      }
      return
    case 'grant': {
      if ((await userinfo(service, company.app, one.accessToken)).status === 200)
        faults.add(`(1) ${name} is accepted by the issuer of the friendly team`)
      if (!mustBeRevoked) return
      if (await isActive(service, one.accessToken)) faults.add(`(1) ${name} outlives ${mustBeRevoked}`)
      if ((await refresh(service, one.app, one.refreshToken)).status === 200)
        faults.add(`(1) the refresh token of "${one.from}" is valid after ${mustBeRevoked}`)
      return
    }
    case 'identity provider': {
      if (!hostile.providerId) return
      const claims = { sub: hostile.subject, email, email_verified: true }
      const told = await signInBy(service, hostile.providerId, world.idp, claims)
      return goOn(scenario, { ...(told.token && { accessToken: told.token }) }, name)
    }
  }
}

/** Redeems every link in the hostile team's own mailbox in every way. */
export async function attemptMailedLinks(scenario: Scenario): Promise<void> {
  const { world, hostile, held, email, faults } = scenario
  const anyone = asAnyone(scenario)
  const sessions = held.filter((one) => one.kind === 'session')
  for (const { kind, link } of world.post.to(hostile.mailbox)) {
    if (!/magic_link|welcome|password_reset|change_email|verify_email/.test(kind)) continue
    const token = tokenOf(link)
    const name = `the ${kind} link in the mailbox of the hostile team`
    if (kind === 'magic_link' || kind === 'welcome') {
      const answer = await anyone('POST', '/auth/verify', { token })
      if (answer.status === 200) await goOn(scenario, answer.body, name)
    }
    if (kind === 'password_reset') {
      const password = newPassword()
      const answer = await anyone('POST', '/auth/reset-password', { token, newPassword: password })
      if (answer.status !== 200) continue
      const login = await anyone('POST', '/auth/login', { email, password })
      if (login.status === 200) faults.add(`(1) ${name} sets a password of the owner`)
    }
    if (kind === 'change_email' || kind === 'verify_email')
      for (const session of sessions)
        await asBearer(scenario, session.token)(
          'POST',
          kind === 'change_email' ? '/auth/confirm-email' : '/auth/verify-email',
          { token },
        )
  }
}
