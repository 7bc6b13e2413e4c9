import type { Transaction } from '../../platform/db/database.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import { causeOfSession } from '../../platform/mail/mailer.js'
import {
  type AssertionAnswer,
  clientDataOf,
  PasskeyRejected,
  relyingPartyOf,
  verifyAssertion,
} from '../../protocols/webauthn/index.js'
import { logTeamOf } from '../members/index.js'
import { lockUser, type User } from '../users/index.js'
import type { FactorDeps } from './deps.js'
import { findPasskey, type Passkey, writePasskeyUse } from './factor-repository.js'
import { sendFactorMail } from './mails.js'
import { type ChallengeFor, useChallenge } from './passkey-challenge.js'
import { type FactorScope, validFactors } from './valid-factors.js'
import type { UsedFactor } from './verify-code.js'

/** Why an answer proves nothing, and whose passkey it was, where that is known. */
export interface PasskeyFailure {
  userId: UserId | null
  reason: 'challenge' | 'unknown' | 'second_factor_only' | 'invalid' | 'cloned'
}

/** What an assertion has proven. */
export interface PasskeyProof {
  user: User
  factor: UsedFactor
  /** The team that the passkey is restricted to. */
  restrictedTo: TeamId | null
  /** The member who set the temporary password that started the session in which it was enrolled. */
  temporarySetBy: UserId | null
  userVerified: boolean
}

/**
 * The handle of an account in its passkeys: the bytes of its ID, which say nothing of the person (WebAuthn Level 3, 14.6.1). With a restriction
 * it has another one: an authenticator replaces a passkey of the same handle.
 */
export const userHandleOf = (userId: UserId, restrictedTo: TeamId | null): string =>
  Buffer.from(`${userId}${restrictedTo ?? ''}`.replaceAll('-', ''), 'hex').toString('base64url')

interface Expected {
  use: ChallengeFor
  /** Where it must be valid; undefined where the passkey says whose it is. */
  scope?: FactorScope
  /** It is the only proof: the passkey must sign in by itself, name its user and have verified them. */
  alone: boolean
  origin: RequestOrigin
}

/**
 * A step: judges the answer of a passkey, uses its challenge up, and locks the account. An answer from a copy of the authenticator is recorded and
 * its owner told.
 */
export async function verifyPasskey(
  tx: Transaction,
  deps: FactorDeps,
  answer: AssertionAnswer,
  { use, scope, alone, origin }: Expected,
): Promise<PasskeyProof | PasskeyFailure> {
  const challenge = clientDataOf(answer)?.challenge
  if (challenge === undefined || !(await useChallenge(tx, deps, use, challenge)))
    return { userId: null, reason: 'challenge' }
  const credentialId = Buffer.from(answer.id, 'base64url')
  const found = await findPasskey(tx, credentialId)
  if (!found || (scope && found.userId !== scope.userId)) return { userId: null, reason: 'unknown' }
  const user = await lockUser(tx, found.userId)
  // As it is once nobody else uses it: its counter may have grown while we waited.
  const passkey = user && (await findPasskey(tx, credentialId))
  if (!passkey) return { userId: null, reason: 'unknown' }
  if (scope && !(await validFactors(tx, scope)).some(({ id }) => id === passkey.factorId))
    return { userId: null, reason: 'unknown' }
  if (alone && !passkey.signsIn) return { userId: user.id, reason: 'second_factor_only' }

  const judged = await verifyAssertion(relyingPartyOf(deps.config.frontendUrl), challenge, answer, passkey, {
    alone,
    userHandle: userHandleOf(user.id, passkey.restrictedTo),
  }).catch((error: unknown) => {
    if (error instanceof PasskeyRejected) return undefined
    throw error
  })
  if (!judged) return { userId: user.id, reason: 'invalid' }
  if (judged.cloned) {
    await reportClone(tx, deps, user, passkey, origin)
    return { userId: user.id, reason: 'cloned' }
  }
  await writePasskeyUse(tx, deps.clock, passkey.factorId, judged)
  return {
    user,
    restrictedTo: passkey.restrictedTo,
    temporarySetBy: passkey.temporarySetBy,
    userVerified: judged.userVerified,
    factor: { id: passkey.factorId, type: 'PASSKEY', amr: methodsOf(passkey, judged.userVerified) },
  }
}

/** RFC 8176: a key that stays in one device or one that is copied between devices; with its user verified it is two factors. */
export const methodsOf = ({ backupEligible }: Pick<Passkey, 'backupEligible'>, userVerified: boolean): string[] => [
  backupEligible ? 'swk' : 'hwk',
  ...(userVerified ? ['user'] : []),
  'mfa',
]

async function reportClone(
  tx: Transaction,
  deps: FactorDeps,
  user: User,
  { factorId, name, restrictedTo }: Passkey & { name: string; restrictedTo: TeamId | null },
  origin: RequestOrigin,
): Promise<void> {
  const teamId = restrictedTo ?? (await logTeamOf(tx, user.id, null))
  await deps.audit.record(tx, { userId: user.id, teamId, origin }, 'factor.clone_suspected', {
    result: 'DENIED',
    resource: `factor:${factorId}`,
    metadata: { name },
  })
  await sendFactorMail(tx, deps, user.email, origin, { change: 'cloned', name, cause: causeOfSession(restrictedTo) })
}
