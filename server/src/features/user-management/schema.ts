import Type from 'typebox'
import { PageQuery } from '../../platform/http/paging.js'
import { clearable, nullable, timestamp } from '../../platform/http/schema-parts.js'
import { SINGLE_LINE } from '../../platform/single-line.js'
import { userRole } from '../permissions/index.js'
import { DisplayName } from '../settings/index.js'
import type { TeamUser } from './repository.js'

export const oneOf = <const Names extends readonly string[]>(names: Names, options: { description?: string } = {}) =>
  Type.Unsafe<Names[number]>({ type: 'string', enum: names, ...options })

const ROLES = ['owner', 'admin', 'member', 'viewer'] as const

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

const sets = {
  groupIds: Ids('the groups of the user; also requires groups:members'),
  applicationIds: Ids('the applications that are assigned to the user; also requires applications:write'),
}

export const CreateUser = Type.Object({
  email: Type.String({ maxLength: 320, description: 'Case and surrounding white space do not matter' }),
  ...profile,
  role: Type.Optional(oneOf(ROLES, { description: 'Default member' })),
  ...sets,
  onboardingMethod: Type.Optional(
    oneOf(['magic_link', 'password'], {
      description:
        'How the user signs in first: with a link that is mailed to them and valid for 7 days (default), or with `temporaryPassword`, which the administrator passes on (default if one is sent)',
    }),
  ),
  temporaryPassword: Type.Optional(
    Type.String({
      maxLength: 2_048,
      description: 'Valid for 7 days, in this team only; must be changed at the first sign-in',
    }),
  ),
})

export const UpdateUser = Type.Object({
  ...profile,
  role: Type.Optional(oneOf(ROLES)),
  status: Type.Optional(oneOf(['active', 'suspended'])),
  ...sets,
})

export const UserQuery = Type.Object({
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Parts of the name or email address, in any order; case and accents are ignored. A part of one or two characters matches the beginning of a word.',
    }),
  ),
  role: Type.Optional(oneOf(ROLES)),
  status: Type.Optional(oneOf(['pending', 'active', 'suspended'])),
  ...PageQuery,
})

export const User = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    firstName: nullable(Type.String()),
    lastName: nullable(Type.String()),
    role: Type.String({ description: 'owner, admin, member or viewer' }),
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
    lastLoginAt: nullable(timestamp('In this team')),
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

export const presentUser = ({ role, lastLoginAt, createdAt, updatedAt, ...user }: TeamUser) => ({
  ...user,
  role: userRole(role),
  lastLoginAt: lastLoginAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})
