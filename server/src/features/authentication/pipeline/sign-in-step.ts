import type { AppError } from '../../../platform/app-error.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { FactorId, SessionId, TeamId, UserId } from '../../../platform/ids.js'
import type { Risk } from '../../../protocols/sign-in-risk/index.js'
import type { OpenTeam, TeamOfUser } from '../../members/index.js'
import type { FactorType, UsedFactor } from '../../mfa/index.js'
import type { SignOnDecision } from '../../policies/index.js'
import type { FactorDue, IssuedSession, SessionMfa, TeamRejection } from '../../sessions/index.js'
import type { User } from '../../users/index.js'
import type { AccountDeps, Asserted, SignInRequest } from '../deps.js'

/** A sign-in under way: what was proven, and what the steps have found out since. */
export interface SignIn {
  user: User
  /** How the first proof was made: password, magic_link, registration … */
  method: string
  /** Authentication methods used so far (RFC 8176); `mfa` among them once a second factor was proven, or a passkey that is two. */
  amr: string[]
  /** The team whose provider, directory or administrator vouched; null for the user's own proof. */
  restrictedToTeam: TeamId | null
  /** Of a sign-in by a team's provider. */
  asserted?: Asserted | undefined
  /** The team that the caller asks for, or that the link was made for. */
  wantedTeam: string | null
  /** When the person signed in at the provider that opened the session which the new one replaces, in milliseconds. */
  signedInAt?: number | undefined
  /** When the password of this sign-in was set, where it is not the user's own of this moment. */
  passwordSetAt?: Date | undefined
  /** The member who set the temporary password that this sign-in used, or the editor of the provider or directory behind it. */
  temporarySetBy?: UserId | null | undefined
  passwordDue: 'temporary' | null
  /** The teams for which the password is older than they allow. */
  passwordDueTeamIds?: TeamId[] | undefined
  /** Returns whether failures have closed a team to passwords for a while. A proof of another kind is never rejected by it. */
  isClosed?: (tx: Transaction, teamId: TeamId) => Promise<boolean>
  /** Failures have closed a team of the user's own to passwords as well. */
  closesOwnTeam?: boolean
  /** The team of the redeemed welcome link: the sign-in confirms its membership when it starts a session. */
  welcomedBy?: TeamId | null | undefined
  request: SignInRequest
  /** What answered the challenge of this sign-in. */
  factor?: UsedFactor
  /** The session that the new one replaces, and the second factors that were verified in it. */
  replaces?: SessionId | undefined
  verifiedFactorIds?: FactorId[] | undefined
  /** Found by `chooseTeam`. */
  team?: OpenTeam
  /** The teams that are tried next if this one rejects the user. */
  candidates?: TeamOfUser[]
  /** The teams that rejected the user in this sign-in. */
  rejectedTeams?: RejectedTeam[] | undefined
  /** Found by `scoreRisk`: the team whose sign-ins alone it compared; null: those of the account. */
  ofTeam?: TeamId | null
  /** The teams whose second factor the user does not have, and that they left for another team in this sign-in. */
  leftTeams?: TeamId[] | undefined
  /** Found by `scoreRisk`. */
  risk?: Risk
  country?: string | undefined
  deviceKnown?: boolean
  /** Found by `evaluatePolicies`. */
  rules?: SignOnDecision
  /** Found by `requireFactor`. */
  mfa?: SessionMfa
  factorDue?: FactorDue
  /** Whether a valid factor that belongs to the account, and not to a team, was verified. */
  verifiedUnrestricted?: boolean
  /** Why a factor that the account has was asked for, or was not. */
  factorDecision?: FactorDecision
}

/** A team that rejected the user in a sign-in that named none, before another one accepted them. */
export interface RejectedTeam extends TeamRejection {
  isHome: boolean
}

/**
 * `none`: the account has no factor, or has proven one with its first proof. Asked: `always`, unless the person chose to be asked less
 * often; `required` by the instance; by a `policy` of the team; `unusual`, by what is known of the moment. `usual`: not asked.
 */
export type FactorDecision = 'none' | 'always' | 'required' | 'policy' | 'unusual' | 'usual'

/** A second factor is due: the sign-in waits for it under this token. */
export interface Challenge {
  mfaToken: string
  /** By what it can be answered. */
  methods: FactorType[]
  expiresAt: Date
  /** Where the sign-in may continue instead; undefined where it may not. */
  otherTeams?: OtherTeams | undefined
}

/** The teams in which a sign-in may continue in place of one that requires a factor which is restricted to it. */
export interface OtherTeams {
  /** None while each of them requires a factor too: their names are not shown before one is verified. */
  teams: { id: TeamId; name: string }[]
  /** What continues without a choice: the next of the user's teams, or a new one of their own. */
  next: 'team' | 'own_team'
}

export type SignInOutcome = { session: IssuedSession } | { challenge: Challenge } | { rejected: AppError }

/** A step goes on with what it found, or ends the sign-in. It never calls another step. */
export type SignInStep = (
  tx: Transaction,
  deps: AccountDeps,
  signIn: SignIn,
) => Promise<SignIn | { challenge: Challenge } | { rejected: AppError; found?: SignIn }>
