import Type from 'typebox'
import { nullable, pageSchema } from '../../../platform/http/schema-parts.js'
import { sessionRole } from '../../permissions/index.js'
import type { WaitingTeam } from './waiting-teams.js'

const nullableString = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

/** A waiting team, also in sign-in responses. */
export const WaitingTeamShown = Type.Object({
  id: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  role: nullableString("The user's role; null without a membership"),
  verifiedDomain: nullableString('A domain that the team has verified by DNS; null if it has none'),
})

export const presentWaiting = (team: WaitingTeam) => ({
  ...team,
  role: team.role === null ? null : sessionRole(team.role),
})

export const WaitingTeams = Type.Object({
  data: Type.Array(WaitingTeamShown, {
    description: 'Teams with a verified domain first, then the newest; at most ten (blocked: a hundred)',
  }),
})

export const JoinablePage = pageSchema(
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    slug: Type.String(),
    logoUrl: nullable(Type.String()),
    primaryColor: nullable(Type.String()),
  }),
)
