import Type from 'typebox'
import { sessionRole } from '../permissions/index.js'
import type { WaitingTeam } from './waiting-teams.js'

const nullable = <T extends Type.TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })

/** A team that waits for the user, also in the answers of sign-ins. */
export const WaitingTeamShown = Type.Object({
  id: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  role: nullable(Type.String(), 'The role that the user has there; null without a membership'),
  verifiedDomain: nullable(Type.String(), 'A domain that the team has verified by DNS; null: the team is not verified'),
})

export const presentWaiting = ({ id, name, slug, role, verifiedDomain }: WaitingTeam) => ({
  id,
  name,
  slug,
  role: role === null ? null : sessionRole(role),
  verifiedDomain,
})
