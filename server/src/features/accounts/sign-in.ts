import type { AppError } from '../../platform/app-error.js'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId } from '../../platform/ids.js'
import type { User } from '../identities/index.js'
import type { OpenTeam } from '../members/index.js'
import { type IssuedSession, noteDevice, openSession } from '../sessions/index.js'
import { admitAccount } from './admit-account.js'
import { chooseTeam } from './choose-team.js'
import type { AccountDeps, SignInRequest } from './deps.js'

/** A sign-in under way: what was proven, and what the steps have found out since. */
export interface SignIn {
  user: User
  /** How the first proof was made: password, magic_link, registration … */
  method: string
  /** Authentication methods used so far (RFC 8176). */
  amr: string[]
  /** The team whose provider, directory or administrator vouched; null for the user's own proof. */
  confinedTo: TeamId | null
  /** The team that the caller asks for, or that the link was made for. */
  wantedTeam: string | null
  passwordDue: 'temporary' | 'aged' | null
  request: SignInRequest
  /** Found by `chooseTeam`. */
  team?: OpenTeam
}

/** A second factor is due: the sign-in waits for it under this token. */
export interface Challenge {
  mfaToken: string
}

export type SignInOutcome = { session: IssuedSession } | { challenge: Challenge } | { refused: AppError }

/** A step goes on with what it found, or ends the sign-in. It never calls another step. */
export type SignInStep = (tx: Transaction, deps: AccountDeps, signIn: SignIn) => Promise<SignIn | Exclude<SignInOutcome, { session: unknown }>>

/** In this order; whatever proves a person (password, link, later a provider) goes through all of them. */
const STEPS: SignInStep[] = [admitAccount, chooseTeam]

/**
 * The dispatcher. A step of the caller's transaction; a refusal is an outcome and not a throw, because what was counted and
 * recorded on the way must be kept.
 */
export async function signIn(tx: Transaction, deps: AccountDeps, start: SignIn): Promise<SignInOutcome> {
  const { audit, clock } = deps
  let state = start
  for (const step of STEPS) {
    const result = await step(tx, deps, state)
    if ('refused' in result) await recordRefusal(tx, deps, state, result.refused.code)
    if ('refused' in result || 'challenge' in result) return result
    state = result
  }
  const { user, team, method, amr, confinedTo, passwordDue, request } = state
  if (!team) throw new Error('No step has chosen a team')
  const session = await openSession(tx, deps, { user, team, method, amr, confinedTo, passwordDue, remember: request.remember, origin: request.origin })
  if (request.deviceToken) await noteDevice(tx, clock, user.id, request.deviceToken)
  await audit.record(tx, { userId: user.id, teamId: team.id, origin: request.origin }, 'user.login', {
    resource: `session:${session.sessionId}`,
    metadata: { method, amr },
  })
  return { session }
}

async function recordRefusal(tx: Transaction, { audit }: AccountDeps, { user, team, method, request }: SignIn, reason: string): Promise<void> {
  await audit.record(tx, { userId: user.id, teamId: team?.id ?? null, origin: request.origin }, 'user.login', {
    result: 'FAILURE',
    resource: `user:${user.id}`,
    metadata: { method, reason },
  })
}

/** The session of an outcome that no step can refuse or delay any more. @throws the refusal */
export function sessionOf(outcome: SignInOutcome): IssuedSession | Challenge {
  if ('refused' in outcome) throw outcome.refused
  return 'session' in outcome ? outcome.session : outcome.challenge
}
