import type { AppError } from '../../../platform/app-error.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { FactorId, OriginId, SessionId, TeamId } from '../../../platform/ids.js'
import type { Risk } from '../../../protocols/sign-in-risk/index.js'
import type { OpenTeam, TeamOfUser } from '../../members/index.js'
import type { FactorType, UsedFactor } from '../../mfa/index.js'
import type { SignOnDecision } from '../../policies/index.js'
import type { FactorDue, IssuedSession, SessionMfa, TeamRejection } from '../../sessions/index.js'
import type { User } from '../../users/index.js'
import type { AccountDeps, Asserted, SignInRequest } from '../deps.js'

/** The state of a sign-in in the pipeline: the verified credentials, and the results of the steps. */
export interface SignIn {
  user: User
  /** The sign-in method of the first step: password, magic_link, registration … */
  method: string
  /** The authentication methods used so far (RFC 8176). Includes `mfa` after a second factor, or a passkey with user verification. */
  amr: string[]
  /** The team whose provider, directory or administrator authenticated the user; null for the user's own credentials. */
  restrictedToTeam: TeamId | null
  /** The assertion of a team's provider. */
  asserted?: Asserted | undefined
  /** The team that the request names, or for which the link was issued. */
  wantedTeam: string | null
  /** Time of the authentication at the provider, in milliseconds, if the replaced session was federated. */
  signedInAt?: number | undefined
  /** When the password of this sign-in was set, if it is not the account's current own password. */
  passwordSetAt?: Date | undefined
  /** The origin of the new session. */
  temporarySetBy?: OriginId | null | undefined
  passwordDue: 'temporary' | null
  /** The teams in which a password change is due. */
  passwordDueTeamIds?: TeamId[] | undefined
  /** Returns whether a team is locked for passwords after failures. Absent for other sign-in methods. */
  isLockedOut?: (tx: Transaction, teamId: TeamId) => Promise<boolean>
  /** Failures have also locked an own team for passwords. */
  locksOwnTeam?: boolean
  /** The team of the redeemed welcome link: the sign-in confirms its membership when it starts a session. */
  welcomedBy?: TeamId | null | undefined
  request: SignInRequest
  /** The factor that completed the challenge of this sign-in. */
  factor?: UsedFactor
  /** The session that the new one replaces, and the second factors that were verified in it. */
  replaces?: SessionId | undefined
  verifiedFactorIds?: FactorId[] | undefined
  /** Set by `chooseTeam`. */
  team?: OpenTeam
  /** The teams that are tried next if this one rejects the user. */
  candidates?: TeamOfUser[]
  /** The teams that rejected the user in this sign-in. */
  rejectedTeams?: RejectedTeam[] | undefined
  /** Set by `scoreRisk`: the team whose sign-ins alone were compared; null: those of the account. */
  ofTeam?: TeamId | null
  /** The teams whose required factor the user does not have, and that they left for another team in this sign-in. */
  leftTeams?: TeamId[] | undefined
  /** Set by `scoreRisk`. */
  risk?: Risk
  country?: string | undefined
  deviceKnown?: boolean
  /** Set by `evaluatePolicies`. */
  rules?: SignOnDecision
  /** Set by `requireFactor`. */
  mfa?: SessionMfa
  factorDue?: FactorDue
  /** Whether a valid factor that belongs to the account, and not to a team, was verified. */
  verifiedUnrestricted?: boolean
  /** The reason why a factor of the account was required or not. */
  factorDecision?: FactorDecision
}

/** A team that rejected the user in a sign-in that named none, before another one accepted them. */
export interface RejectedTeam extends TeamRejection {
  isHome: boolean
}

/**
 * Not required: `none`, the account has no factor or the first step verified one; `usual`, the risk is low and the user enabled adaptive
 * challenges. Required: `always`, adaptive challenges are off; `required` by the instance; by a `policy` of the team; `unusual`, the risk is
 * high.
 */
export type FactorDecision = 'none' | 'always' | 'required' | 'policy' | 'unusual' | 'usual'

/** A sign-in that waits for a second factor. */
export interface Challenge {
  mfaToken: string
  /** The types of factors that are accepted. */
  methods: FactorType[]
  expiresAt: Date
  /** The teams in which the sign-in may continue instead; undefined if it may not. */
  otherTeams?: OtherTeams | undefined
}

/** The teams in which a sign-in may continue in place of one that requires a factor which is restricted to it. */
export interface OtherTeams {
  /** Empty if each of them requires a factor too: their names are not revealed before one is verified. */
  teams: { id: TeamId; name: string }[]
  /** The result of continuing without a named team: the next of the user's teams, or a new own team. */
  next: 'team' | 'own_team'
}

/** The response to a successful sign-in method. */
export type SignedIn = IssuedSession | Challenge

export type SignInOutcome = { session: IssuedSession } | { challenge: Challenge } | { rejected: AppError }

/** Returns the state with its results, or ends the sign-in. */
export type SignInStep = (
  tx: Transaction,
  deps: AccountDeps,
  signIn: SignIn,
) => Promise<SignIn | { challenge: Challenge } | { rejected: AppError; found?: SignIn }>
