import Type from 'typebox'
import type { SessionActor } from '../../../platform/http/actor.js'
import { PageQuery } from '../../../platform/http/paging.js'
import { anyObject, nullable, oneOf, pageSchema, timestamp } from '../../../platform/http/schema-parts.js'
import { SINGLE_LINE } from '../../../platform/single-line.js'
import { EVENTS_BY_OTHERS, EVENTS_BY_USER } from '../../audit/index.js'
import { PasswordRules } from '../../password-policy/index.js'
import {
  deviceName,
  presentMfa,
  presentTeam,
  presentUser,
  SessionMfaBody,
  SessionTeam,
  SessionUser,
} from '../../sessions/index.js'
import type { OwnEvent } from './own-events.js'
import type { readMe } from './own-profile.js'

/** A single-line string that is not blank; null clears the field. */
const line = (maxLength: number) => Type.Optional(nullable(Type.String({ maxLength, pattern: SINGLE_LINE })))

export const ChangeProfile = Type.Object({
  firstName: line(100),
  lastName: line(100),
  department: line(100),
  title: line(100),
  phone: line(50),
  locale: Type.Optional(
    nullable(
      Type.String({
        maxLength: 35,
        pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$',
        description: 'A language tag (BCP 47), such as de-AT',
      }),
    ),
  ),
})
export const OwnProfileBody = Type.Object({
  firstName: nullable(Type.String()),
  lastName: nullable(Type.String()),
  department: nullable(Type.String()),
  title: nullable(Type.String()),
  phone: nullable(Type.String()),
  locale: nullable(Type.String()),
})

export const Me = Type.Object({
  user: SessionUser,
  team: SessionTeam,
  permissions: Type.Array(Type.String()),
  emailVerified: Type.Boolean(),
  instanceAdmin: Type.Boolean(),
  mfa: SessionMfaBody,
  mustChangePassword: Type.Boolean(),
  hasPassword: Type.Boolean(),
  passwordPolicy: PasswordRules,
  authenticatedAt: timestamp('Time of the last authentication'),
  session: Type.Object({ id: Type.String(), method: Type.String(), confined: Type.Boolean() }),
  profile: OwnProfileBody,
})

const needsFactor = ({ restriction }: SessionActor): boolean =>
  restriction === 'mfa_enrollment' || restriction === 'team_mfa_enrollment'

export const presentMe = (actor: SessionActor, { profile, passwordPolicy }: Awaited<ReturnType<typeof readMe>>) => ({
  user: {
    ...presentUser({ id: actor.userId, ...actor.user }, { id: actor.teamId, role: actor.role }),
    roleExact: actor.role,
  },
  team: { ...presentTeam({ id: actor.teamId, ...actor.team, role: actor.role }), roleExact: actor.role },
  permissions: [...actor.permissions],
  emailVerified: actor.user.emailVerified,
  instanceAdmin: actor.instanceAdmin,
  mfa: presentMfa({ ...actor.mfa, enrollmentRequired: needsFactor(actor) }),
  mustChangePassword: actor.session.mustChangePassword,
  hasPassword: actor.user.hasPassword,
  passwordPolicy,
  authenticatedAt: actor.authenticatedAt.toISOString(),
  session: { id: actor.sessionId, method: actor.session.method, confined: actor.restrictedToTeam !== null },
  profile,
})

const EventResult = oneOf('SUCCESS', 'FAILURE', 'DENIED')

export const EventsQuery = Type.Object({
  teamId: Type.Optional(Type.String({ description: 'Only events in this team' })),
  result: Type.Optional(EventResult),
  ...PageQuery,
})

export const OwnEventBody = Type.Object(
  {
    id: Type.String(),
    action: oneOf(...[...new Set([...EVENTS_BY_USER, ...EVENTS_BY_OTHERS])].sort()),
    result: EventResult,
    createdAt: timestamp(),
    actor: oneOf('user', 'team', 'operator'),
    team: nullable(
      Type.Object({
        id: Type.String(),
        name: nullable(Type.String({ description: 'Null if the user is not a member' })),
      }),
    ),
    method: nullable(Type.String({ description: 'The sign-in method' })),
    reason: nullable(Type.String({ description: 'A code for the reason of a failure' })),
    country: nullable(Type.String()),
    ipAddress: nullable(Type.String({ description: 'Null for an event that a team or the operator caused' })),
    device: nullable(Type.String()),
  },
  { $id: 'OwnEvent' },
)

export const OwnEventsPage = pageSchema(OwnEventBody)

export const presentOwnEvent = (event: OwnEvent) => ({
  id: event.id,
  action: event.action,
  result: event.result,
  createdAt: event.createdAt.toISOString(),
  actor: event.actor,
  team: event.teamId ? { id: event.teamId, name: event.teamName } : null,
  method: event.method,
  reason: event.reason,
  country: event.country,
  ipAddress: event.ipAddress,
  device: event.userAgent === null ? null : deviceName(event.userAgent),
})

const rows = (description: string) => Type.Array(anyObject(), { description })

export const AccountExport = Type.Object(
  {
    exportedAt: timestamp(),
    account: anyObject({ description: 'The email address and the own profile' }),
    memberships: rows('With the profile that each confirmed team stores'),
    blockedTeams: rows('The teams that the user has blocked, if the email address is verified'),
    invitations: rows('The invitations to the email address, if it is verified; closed ones since the account exists'),
    removals: rows('The teams that removed the user, or had suspended the user when they left'),
    groups: rows('The groups of the user in confirmed teams'),
    applicationAssignments: rows(
      'The applications that are assigned to the user, or to a `group` of the user, in confirmed teams',
    ),
    teamPasswords: rows('The confirmed teams in which the user has a team password'),
    sessions: rows('As in `GET /auth/sessions`'),
    endedSessions: rows('The sessions that ended or expired in the last 30 days'),
    devices: rows('As in `GET /auth/devices`'),
    signInNetworks: rows('The networks of sign-ins, with a team for sign-ins with credentials of that team'),
    mailedLinks: rows(
      'The mailed links and sign-in challenges that are still stored, without their tokens; before the email address is verified, only those that verify it',
    ),
    factors: rows('As in `GET /auth/mfa/status`'),
    apiTokens: rows('The API tokens that the user created in confirmed teams, without their secrets'),
    scimTokens: rows('The SCIM tokens that the user created in confirmed teams, without their secrets'),
    externalIdentities: rows('The linked identities at providers of confirmed teams'),
    providerSignIns: rows('The last sign-ins with providers of confirmed teams, and the attributes that they sent'),
    samlNameIds: rows('The identifiers of the user at SAML applications of confirmed teams'),
    scimProfiles: rows('The attributes that SCIM clients of confirmed teams stored in addition to the membership'),
    directoryEntries: rows('The entries of LDAP directories of confirmed teams from which the user was imported'),
    grants: rows('As in `GET /auth/grants`'),
    mails: rows('The mails of the last 30 days to the email address, if it is verified, without their contents'),
    events: Type.Array(OwnEventBody, { description: 'The security events of the last 90 days, at most 5,000' }),
    activity: rows(
      'The audit entries of acts of the user, and of acts of others on the user, in teams whose membership is confirmed and in the log of the instance: the newest 5,000 of each, without targets and without who acted; `details` are the personal data of the user in the entry',
    ),
  },
  { $id: 'AccountExport' },
)
