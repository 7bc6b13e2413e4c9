import Type from 'typebox'
import { DisplayName, DomainName, HexColor, ImageUrl } from '../settings/index.js'
import type { Organization } from './repository.js'
import { SLUG_PATTERN } from './slug.js'

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])

export const Team = Type.Object(
  {
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
    role: Type.Optional(Type.String({ description: "The caller's role in the team, as sessions show it" })),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'Team' },
)

export const CreateTeam = Type.Object({
  name: DisplayName,
  slug: Type.Optional(Type.String({ pattern: SLUG_PATTERN })),
  domain: Type.Optional(nullable(DomainName)),
  logoUrl: Type.Optional(nullable(ImageUrl)),
  primaryColor: Type.Optional(nullable(HexColor)),
  allowedDomains: Type.Optional(Type.Array(DomainName, { maxItems: 1_000 })),
})

export const presentTeam = (team: Organization, role?: string) => ({
  id: team.id,
  name: team.name,
  slug: team.slug,
  domain: team.domain,
  plan: team.plan,
  status: team.status,
  logoUrl: team.logoUrl,
  primaryColor: team.primaryColor,
  allowedDomains: team.allowedDomains,
  maxMembers: team.maxMembers,
  maxApplications: team.maxApplications,
  ...(role && { role }),
  createdAt: team.createdAt.toISOString(),
  updatedAt: team.updatedAt.toISOString(),
})
