import Type from 'typebox'
import { clearable, nullable, oneOf, timestamp } from '../../platform/http/schema-parts.js'
import { sessionRole } from '../permissions/index.js'
import { DisplayName, DomainName, HexColor, ImageUrl, SessionDays } from '../settings/index.js'
import { MAX_SETTINGS, type Organization } from './repository.js'
import { SLUG_PATTERN } from './slug.js'

// Not `Type.Record`: its pattern for keys rejects line separators.
const textMap = <Value>(value: object, options: object = {}) =>
  Type.Unsafe<Record<string, Value>>({ type: 'object', additionalProperties: value, ...options })

const shown = {
  id: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  domain: nullable(Type.String()),
  plan: Type.String({ description: 'FREE, PRO or ENTERPRISE' }),
  status: Type.String({ description: 'ACTIVE or SUSPENDED' }),
  logoUrl: nullable(Type.String()),
  primaryColor: nullable(Type.String()),
  allowedDomains: Type.Array(Type.String()),
  maxMembers: Type.Integer(),
  maxApplications: Type.Integer(),
  sessionMaxLifetimeDays: nullable(
    Type.Integer({ description: "Days after sign-in at which a session ends in the team; null: the instance's value" }),
  ),
  role: Type.Optional(Type.String({ description: "The caller's role in the team, as in sessions" })),
  roleExact: Type.Optional(
    Type.String({ description: "The caller's role in the team as `GET /permissions` lists it, such as USER_ADMIN" }),
  ),
  createdAt: timestamp(),
  updatedAt: timestamp(),
}

export const Team = Type.Object(shown, { $id: 'Team' })

const LogoStatus = Type.Object(
  {
    state: Type.String({ description: 'waiting (until it is first requested), stored or failed' }),
    reason: nullable(
      Type.String({
        description:
          'Why it failed: no_answer, bad_status, too_many_redirects, too_large (more than 256 kB) or not_a_picture. It is fetched again when it is requested after an hour',
      }),
    ),
  },
  { description: 'Status of the image at `logoUrl`; null without one. Extension' },
)
export type LogoStatus = Type.Static<typeof LogoStatus>

export const TeamWithSettings = Type.Object(
  { ...shown, settings: textMap<string>({ type: 'string' }), logoStatus: nullable(LogoStatus) },
  { $id: 'TeamWithSettings' },
)

const written = {
  slug: Type.Optional(Type.String({ pattern: SLUG_PATTERN })),
  domain: clearable(DomainName),
  logoUrl: clearable(ImageUrl),
  primaryColor: clearable(HexColor),
  allowedDomains: Type.Optional(
    Type.Array(DomainName, {
      maxItems: 1_000,
      description: 'Email domains whose users may join the team on their own, once their email address is verified',
    }),
  ),
}
const Limit = (name: string) =>
  Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: `${name}; existing ones above the limit stay` })

const TeamName = Type.String({ ...DisplayName, description: 'Without `://`, `www.` and `@`' })

export const CreateTeam = Type.Object({ name: TeamName, ...written })
export const UpdateTeam = Type.Object({
  name: Type.Optional(TeamName),
  ...written,
  plan: Type.Optional(oneOf('FREE', 'PRO', 'ENTERPRISE')),
  status: Type.Optional(oneOf('ACTIVE', 'SUSPENDED')),
  maxMembers: Type.Optional(Limit('Members')),
  maxApplications: Type.Optional(Limit('Applications')),
  sessionMaxLifetimeDays: clearable(
    Type.Integer({
      ...SessionDays,
      description:
        "Days after sign-in at which a session ends in the team; null: the instance's value. The shorter of the two applies",
    }),
  ),
})

const Value = { anyOf: [{ type: 'string', maxLength: 2_000 }, { type: 'null' }] }

export const UpdateSettings = Type.Object({
  name: Type.Optional(TeamName),
  settings: Type.Optional(
    textMap<string | null>(Value, {
      maxProperties: MAX_SETTINGS,
      propertyNames: { minLength: 1, maxLength: 100 },
      description: 'Merged into the existing settings; null removes one',
    }),
  ),
})

export const presentTeamWithSettings = (team: Organization, role: string, logoStatus: LogoStatus | null) => ({
  ...presentTeam(team, role),
  settings: team.settings,
  logoStatus,
})

/** @param role the caller's stored role */
export const presentTeam = (
  { settings, policyVersion, createdBy, createdAt, updatedAt, ...team }: Organization,
  role?: string,
) => ({
  ...team,
  ...(role && { role: sessionRole(role), roleExact: role }),
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})
