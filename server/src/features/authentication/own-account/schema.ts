import Type from 'typebox'
import type { SessionActor } from '../../../platform/http/actor.js'
import { nullable, timestamp } from '../../../platform/http/schema-parts.js'
import { SINGLE_LINE } from '../../../platform/single-line.js'
import { PasswordRules } from '../../password-policy/index.js'
import { presentMfa, presentTeam, presentUser, SessionMfaBody, SessionTeam, SessionUser } from '../../sessions/index.js'
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
  user: presentUser({ id: actor.userId, ...actor.user }, { id: actor.teamId, role: actor.role }),
  team: presentTeam({ id: actor.teamId, ...actor.team, role: actor.role }),
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
