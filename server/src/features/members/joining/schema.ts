import Type from 'typebox'
import { sessionRole } from '../../permissions/index.js'
import type { WaitingTeam } from './waiting-teams.js'

const nullable = <T extends Type.TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })

/** A waiting team, also in sign-in responses. */
export const WaitingTeamShown = Type.Object({
  id: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  role: nullable(Type.String(), "The user's role; null without a membership"),
  verifiedDomain: nullable(Type.String(), 'A domain that the team has verified by DNS; null if it has none'),
})

export const presentWaiting = ({ id, name, slug, role, verifiedDomain }: WaitingTeam) => ({
  id,
  name,
  slug,
  role: role === null ? null : sessionRole(role),
  verifiedDomain,
})

export const WaitingTeams = Type.Object({
  data: Type.Array(WaitingTeamShown, {
    description: 'Teams with a verified domain first, then the newest; at most ten (blocked: a hundred)',
  }),
})

export const JoinablePage = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      slug: Type.String(),
      logoUrl: Type.Union([Type.String(), Type.Null()]),
      primaryColor: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
  total: Type.Integer(),
  page: Type.Integer(),
  limit: Type.Integer(),
})
