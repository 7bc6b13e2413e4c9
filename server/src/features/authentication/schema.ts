import Type from 'typebox'
import type { SessionActor } from '../../platform/http/actor.js'
import { SINGLE_LINE, SINGLE_LINE_OR_BLANK } from '../../platform/single-line.js'
import { type PasswordPolicy, PasswordRules } from '../policies/index.js'
import {
  Cleaned,
  presentMfa,
  presentTeam,
  presentUser,
  SessionMfaBody,
  SessionTeam,
  SessionUser,
} from '../sessions/index.js'
import type { OwnProfile } from '../users/index.js'

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])

export const Email = Type.String({ maxLength: 320, description: 'Case and surrounding white space do not matter' })
/** The rules are judged by the use-case, which names each that fails; this only bounds the work. */
const NewPassword = Type.String({
  maxLength: 2_048,
  description: '8 to 256 characters (code points after NFKC)',
})
export const Password = Type.String({ maxLength: 2_048 })
const Token = Type.String({ maxLength: 512 })
const Name = Type.String({ maxLength: 100, pattern: SINGLE_LINE_OR_BLANK })
const remember = Type.Optional(
  Type.Boolean({ description: 'Cookie mode: whether the cookies outlive the browser; default true' }),
)

export const RegisterBody = Type.Object({
  email: Email,
  password: NewPassword,
  firstName: Type.Optional(Name),
  lastName: Type.Optional(Name),
  remember,
})
export const LoginBody = Type.Object({
  email: Email,
  password: Password,
  teamId: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'The team to open, by its ID or (extension) its slug. A password of one team is accepted without it only if the team is the home team, a confirmed one, or the only one that has set a password.',
    }),
  ),
  remember,
})
export const VerifyBody = Type.Object({ token: Token, remember })
export const EmailBody = Type.Object({ email: Email })
export const AcceptBody = Type.Object({
  token: Token,
  password: Type.Optional(NewPassword),
  firstName: Type.Optional(Name),
  lastName: Type.Optional(Name),
  remember,
})
export const TokenBody = Type.Object({ token: Token })
export const ResetBody = Type.Object({ token: Token, newPassword: NewPassword })
export const ChangeBody = Type.Object({
  currentPassword: Type.Optional(
    Type.String({ maxLength: 2_048, description: 'Required while the account has a password' }),
  ),
  newPassword: NewPassword,
})

/** One line of text, not all of it blank. */
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

export const Message = Type.Object({ message: Type.String() })
export const ResetDone = Type.Object({ message: Type.String(), cleaned: Type.Optional(Cleaned) })

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
  authenticatedAt: Type.String({ format: 'date-time', description: 'When the user last proved who they are' }),
  session: Type.Object({ id: Type.String(), method: Type.String(), confined: Type.Boolean() }),
  profile: OwnProfileBody,
})

const needsFactor = ({ restriction }: SessionActor): boolean =>
  restriction === 'mfa_enrollment' || restriction === 'team_mfa_enrollment'

export const presentMe = (
  actor: SessionActor,
  { profile, passwordPolicy }: { profile: OwnProfile; passwordPolicy: PasswordPolicy },
) => ({
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
