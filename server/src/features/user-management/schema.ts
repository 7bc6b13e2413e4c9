import Type from 'typebox'
import { DAY } from '../../platform/clock.js'
import type { Actor } from '../../platform/http/actor.js'
import { PageQuery } from '../../platform/http/paging.js'
import { clearable, nullable, timestamp } from '../../platform/http/schema-parts.js'
import { SINGLE_LINE } from '../../platform/single-line.js'
import { MEMBER_SOURCES } from '../members/index.js'
import { TEMPORARY_PASSWORD_LIFETIME } from '../passwords/index.js'
import { ROLES, userRole } from '../permissions/index.js'
import { ONE_TIME_TOKENS } from '../sessions/index.js'
import { DisplayName } from '../settings/index.js'
import { type TeamUser, USER_SORTS } from './repository.js'

export const oneOf = <const Names extends readonly string[]>(names: Names, options: { description?: string } = {}) =>
  Type.Unsafe<Names[number]>({ type: 'string', enum: names, ...options })

export const USER_ROLES = ['owner', 'admin', 'member', 'viewer'] as const

/** A list of these names, separated by commas, in a query. */
const listOf = (names: readonly string[], description: string) =>
  Type.Optional(
    Type.String({
      maxLength: 500,
      pattern: `^(${names.join('|')})(,(${names.join('|')}))*$`,
      description: `${description}. One or more of ${names.join(', ')}, separated by commas`,
    }),
  )

/** A set of IDs to replace. An ID that is malformed, unknown or of another team causes the same 404. */
const Ids = (name: string) =>
  Type.Optional(Type.Array(Type.String(), { maxItems: 1_000, description: `Replaces ${name}` }))

const profile = {
  firstName: clearable(DisplayName),
  lastName: clearable(DisplayName),
  department: clearable(DisplayName),
  title: clearable(DisplayName),
  phone: clearable(Type.String({ maxLength: 50, pattern: SINGLE_LINE })),
  locale: clearable(
    Type.String({ maxLength: 35, pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$', description: 'BCP 47: en, de-AT' }),
  ),
}

const leaveAt = clearable(
  timestamp('When the user leaves: the membership is then suspended, within a minute. In the future; null: never'),
)

const sets = {
  groupIds: Ids('the groups of the user; also requires groups:members'),
  applicationIds: Ids('the applications that are assigned to the user; also requires applications:write'),
}

export const CreateUser = Type.Object({
  email: Type.String({ maxLength: 320, description: 'Case and surrounding white space do not matter' }),
  ...profile,
  role: Type.Optional(oneOf(USER_ROLES, { description: 'Default member' })),
  leaveAt,
  ...sets,
  onboardingMethod: Type.Optional(
    oneOf(['magic_link', 'password'], {
      description: `How the user signs in first: with a link that is mailed to them and valid for ${ONE_TIME_TOKENS.welcome / DAY} days (default), or with \`temporaryPassword\`, which the administrator passes on (default if one is sent)`,
    }),
  ),
  temporaryPassword: Type.Optional(
    Type.String({
      maxLength: 2_048,
      description: `Valid for ${TEMPORARY_PASSWORD_LIFETIME / DAY} days, in this team only; must be changed at the first sign-in`,
    }),
  ),
})

export const UpdateUser = Type.Object({
  ...profile,
  role: Type.Optional(oneOf(USER_ROLES)),
  status: Type.Optional(oneOf(['active', 'suspended'])),
  leaveAt,
  ...sets,
})

/** The conditions of a list of users, in the query of `GET /users` and in the body of `POST /users/bulk`. */
const conditions = {
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Parts of the name or email address, in any order; case and accents are ignored. A part of one or two characters matches the beginning of a word.',
    }),
  ),
  role: listOf(USER_ROLES, 'Role'),
  roleExact: listOf(ROLES, 'Role as `GET /permissions` lists it'),
  status: listOf(['pending', 'active', 'suspended'], 'Status'),
  source: listOf(MEMBER_SOURCES, 'How the user was added'),
  mfa: listOf(
    ['none', 'totp', 'passkey'],
    'Second factors that are valid in the team. The own factors of a user count only in a confirmed membership',
  ),
  group: Type.Optional(
    Type.String({ maxLength: 100, description: 'ID of a group that the user is in; also requires groups:read' }),
  ),
  application: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'ID of an application that the user may open; also requires applications:read',
    }),
  ),
  lastLoginBefore: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'ISO 8601. The last sign-in to the team was before; a user without one counts from the time they were added',
    }),
  ),
}

export const UserFilterBody = Type.Object(conditions)

const SORTS = USER_SORTS.flatMap((name) => [name, `-${name}`] as const)

export const UserQuery = Type.Object({
  ...conditions,
  includeSuspended: Type.Optional(
    Type.Boolean({
      description:
        'With `application`: also lists suspended users to whom the application is assigned, directly or through a group',
    }),
  ),
  sort: Type.Optional(
    oneOf(SORTS, { description: 'Order; `-` is descending. Default: -createdAt. Names sort without case and accents' }),
  ),
  ...PageQuery,
})

export const User = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    firstName: nullable(Type.String()),
    lastName: nullable(Type.String()),
    role: Type.String({ description: 'owner, admin, member or viewer' }),
    roleExact: Type.Optional(Type.String({ description: 'As `GET /permissions` lists it, such as USER_ADMIN' })),
    status: Type.String({ description: 'pending, active or suspended' }),
    department: nullable(Type.String()),
    title: nullable(Type.String()),
    phone: nullable(Type.String()),
    locale: nullable(Type.String()),
    emailVerified: Type.Boolean({
      description:
        'Whether the user has verified the email address, as far as the team knows: true in the home team, false while the membership is unconfirmed',
    }),
    managed: Type.Boolean({
      description: "Whether this is the user's home team: it has verified the domain of the email address by DNS",
    }),
    source: Type.Optional(Type.String({ description: `How the user was added: ${MEMBER_SOURCES.join(', ')}` })),
    factors: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'The kinds of second factors that are valid in this team: TOTP, PASSKEY. The own factors of a user only in a confirmed membership',
      }),
    ),
    groups: Type.Optional(
      Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
        description: 'The first three groups by name; absent without groups:read',
      }),
    ),
    groupCount: Type.Optional(Type.Integer({ description: 'The number of groups; absent without groups:read' })),
    leaveAt: Type.Optional(nullable(timestamp('When the user is suspended; null: never'))),
    lastLoginAt: nullable(timestamp('In this team')),
    lastSignInAt: Type.Optional(nullable(timestamp('The same as `lastLoginAt`, by the name of the sort key'))),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { $id: 'User' },
)

export const UserPage = Type.Object({
  data: Type.Array(User),
  total: Type.Integer(),
  page: Type.Integer(),
  limit: Type.Integer(),
})

export const Message = Type.Object({ message: Type.String() })

/** @param caller sees the groups only with groups:read */
export const presentUser = (
  { role, source, factors, groups, groupCount, leaveAt, lastLoginAt, createdAt, updatedAt, ...user }: TeamUser,
  { permissions }: Pick<Actor, 'permissions'>,
) => ({
  ...user,
  role: userRole(role),
  roleExact: role,
  source,
  factors,
  ...(permissions.has('groups:read') && { groups, groupCount }),
  leaveAt: leaveAt?.toISOString() ?? null,
  lastLoginAt: lastLoginAt?.toISOString() ?? null,
  lastSignInAt: lastLoginAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})
