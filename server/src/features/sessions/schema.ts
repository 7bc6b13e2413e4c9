import Type from 'typebox'
import type { HttpExchange } from '../../platform/http/http-exchange.js'
import { nullable, timestamp } from '../../platform/http/schema-parts.js'
import { presentWaiting, WaitingTeamShown } from '../members/index.js'
import { sessionRole } from '../permissions/index.js'
import type { RememberedDevice } from './devices/remembered-devices.js'
import { deviceName, type ListedSession } from './list-sessions.js'
import type { IssuedSession, TeamRejection } from './open-session.js'
import { setRefreshCookie, setSsoCookie } from './session-cookies.js'
import { presentMfa } from './session-mfa.js'

const RoleExact = Type.Optional(
  Type.String({ description: 'Only in `GET /auth/me`: the role as `GET /permissions` lists it, such as USER_ADMIN' }),
)

export const SessionUser = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    firstName: nullable(Type.String()),
    lastName: nullable(Type.String()),
    teamId: Type.String({ description: 'The selected team' }),
    role: Type.String({ description: 'Role in that team: OWNER, SUPER_ADMIN, ADMIN, MEMBER or VIEWER' }),
    roleExact: RoleExact,
  },
  { $id: 'SessionUser' },
)

export const SessionTeam = Type.Object(
  { id: Type.String(), name: Type.String(), slug: Type.String(), role: Type.String(), roleExact: RoleExact },
  { $id: 'SessionTeam' },
)

export const SessionMfaBody = Type.Object(
  {
    enabled: Type.Boolean({ description: 'The account has a second factor' }),
    required: Type.Boolean({ description: 'The instance requires one of every user' }),
    graceEndsAt: nullable(timestamp()),
    enrollmentRequired: Type.Boolean({ description: 'The session can only enroll a factor until that is done' }),
  },
  { $id: 'SessionMfa' },
)

export const Cleaned = Type.Object(
  {
    passwordRemoved: Type.Boolean(),
    sessionsEnded: Type.Integer(),
    teamsSetAside: Type.Integer({
      description: 'Teams that have other members, tokens or providers; enter one by a switch',
    }),
    factorsRemoved: Type.Integer({ description: 'Passkeys and authenticator apps' }),
    disownToken: Type.String(),
  },
  { description: 'The items that the first verification of the email address removed' },
)

export const Session = Type.Object(
  {
    accessToken: Type.Optional(Type.String({ description: 'JWT; absent if a second factor is due' })),
    refreshToken: Type.Optional(Type.String({ description: 'Opaque; in cookie mode in a cookie instead' })),
    expiresIn: Type.Optional(Type.Integer({ description: 'Lifetime of the access token in seconds' })),
    tokenType: Type.Optional(Type.Literal('Bearer')),
    user: Type.Optional(SessionUser),
    team: Type.Optional(SessionTeam),
    mfaRequired: Type.Optional(Type.Literal(true)),
    mfaToken: Type.Optional(Type.String({ description: 'Valid for five minutes and five attempts' })),
    mfaMethods: Type.Optional(
      Type.Array(
        Type.Unsafe<'TOTP' | 'PASSKEY' | 'BACKUP_CODE'>({ type: 'string', enum: ['TOTP', 'PASSKEY', 'BACKUP_CODE'] }),
        {
          description: 'The factors that complete the challenge',
        },
      ),
    ),
    mfaExpiresAt: Type.Optional(timestamp()),
    mfaOtherTeams: Type.Optional(
      Type.Object(
        {
          teams: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
            description: 'Empty if each of them requires a factor too',
          }),
          next: Type.Unsafe<'team' | 'own_team'>({
            type: 'string',
            enum: ['team', 'own_team'],
            description: "The result of the request without `teamId`: the next of the user's teams, or a new own team",
          }),
        },
        {
          description:
            'The teams in which `POST /auth/mfa/other-team` can continue the sign-in; present if only a factor that is restricted to the team completes the challenge',
        },
      ),
    ),
    pending: Type.Optional(
      Type.Literal(true, {
        description:
          'Cookie mode: a sign-in by a provider, whose session would replace an active one of another account or team, waits for `POST /auth/session-replacement/accept`; no other field is present',
      }),
    ),
    mfa: Type.Optional(SessionMfaBody),
    mustChangePassword: Type.Optional(Type.Boolean()),
    rejectedTeams: Type.Optional(
      Type.Array(
        Type.Object({
          id: Type.String(),
          name: Type.String(),
          reason: Type.Unsafe<TeamRejection['reason']>({
            type: 'string',
            enum: ['sign_in_denied', 'team_suspended', 'membership_suspended', 'passkey_not_accepted', 'team_locked'],
          }),
        }),
        {
          description:
            'The teams that rejected this sign-in without a named team, before the team of the session accepted it',
        },
      ),
    ),
    waitingTeams: Type.Optional(
      Type.Array(WaitingTeamShown, {
        description:
          'The teams that added the user and wait for confirmation, as in `GET /organizations/waiting`; absent if there are none',
      }),
    ),
    cleaned: Type.Optional(Cleaned),
    deletionCancelled: Type.Optional(
      Type.Literal(true, {
        description: 'This sign-in cancelled the deletion of the account that the user had requested',
      }),
    ),
  },
  { $id: 'Session' },
)

export const presentUser = (user: IssuedSession['user'], team: { id: string; role: string }) => ({
  id: user.id,
  email: user.email,
  firstName: user.firstName,
  lastName: user.lastName,
  teamId: team.id,
  role: sessionRole(team.role),
})

export const presentTeam = (team: { id: string; name: string; slug: string; role: string }) => ({
  id: team.id,
  name: team.name,
  slug: team.slug,
  role: sessionRole(team.role),
})

/**
 * Returns the Session response. In cookie mode, sets both cookies and omits the refresh token from the body; otherwise sets only the cookie
 * of the identity providers, and only for requests from the own origin.
 */
export function presentSession(http: HttpExchange, issued: IssuedSession) {
  const { isFromConsole } = http
  if (isFromConsole) setRefreshCookie(http, issued.refreshToken, issued)
  if (issued.ssoToken && (isFromConsole || http.ownOrigin)) setSsoCookie(http, issued.ssoToken, issued)
  return {
    accessToken: issued.accessToken,
    ...(!isFromConsole && { refreshToken: issued.refreshToken }),
    expiresIn: issued.expiresIn,
    tokenType: 'Bearer' as const,
    user: presentUser(
      {
        ...issued.user,
        firstName: issued.team.firstName ?? issued.user.firstName,
        lastName: issued.team.lastName ?? issued.user.lastName,
      },
      issued.team,
    ),
    team: presentTeam(issued.team),
    ...(issued.mustChangePassword && { mustChangePassword: true }),
    ...(issued.rejectedTeams?.length && {
      rejectedTeams: issued.rejectedTeams.map(({ id, name, reason }) => ({ id, name, reason })),
    }),
    ...(issued.waitingTeams?.length && { waitingTeams: issued.waitingTeams.map(presentWaiting) }),
    mfa: presentMfa(issued.mfa),
    ...(issued.deletionCancelled && { deletionCancelled: true as const }),
  }
}

export const SessionList = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      current: Type.Boolean({ description: 'The session of this request' }),
      method: Type.String(),
      device: Type.String(),
      ipAddress: nullable(Type.String()),
      userAgent: nullable(Type.String()),
      team: Type.Object({ id: Type.String(), name: Type.String() }),
      createdAt: timestamp(),
      lastSeenAt: timestamp(),
      expiresAt: timestamp('When it ends unless it is refreshed before'),
    }),
  ),
})

export const presentListed = (session: ListedSession, currentId?: string) => ({
  id: session.id,
  current: session.id === currentId,
  method: session.method,
  device: deviceName(session.user_agent),
  ipAddress: session.ip_address,
  userAgent: session.user_agent,
  team: { id: session.team_id, name: session.team_name },
  createdAt: session.created_at.toISOString(),
  lastSeenAt: session.last_seen_at.toISOString(),
  expiresAt: session.ends_at.toISOString(),
})

export const DeviceList = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      device: Type.String(),
      current: Type.Boolean({ description: 'The browser of this request' }),
      ipAddress: nullable(Type.String()),
      userAgent: nullable(Type.String()),
      createdAt: timestamp(),
      lastSeenAt: timestamp(),
    }),
  ),
})

export const presentDevice = (device: RememberedDevice) => ({
  id: device.id,
  device: deviceName(device.user_agent),
  current: device.current,
  ipAddress: device.ip_address,
  userAgent: device.user_agent,
  createdAt: device.created_at.toISOString(),
  lastSeenAt: device.last_seen_at.toISOString(),
})
