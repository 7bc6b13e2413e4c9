import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { TeamId, UserId } from '../../../platform/ids.js'
import { causeOfSession } from '../../../platform/mail/mailer.js'
import {
  type AssertionResponse,
  clientDataOf,
  PasskeyRejected,
  relyingPartyOf,
  verifyAssertion,
} from '../../../protocols/webauthn/index.js'
import { logTeamOf } from '../../members/index.js'
import { lockUser, type User } from '../../users/index.js'
import type { FactorDeps } from '../deps.js'
import { findPasskey, type Passkey, recordPasskeyUse } from '../factor-repository.js'
import { sendFactorMail } from '../mails.js'
import { type FactorScope, validFactors } from '../valid-factors.js'
import type { UsedFactor } from '../verify-code.js'
import { type ChallengeFor, useChallenge } from './passkey-challenge.js'

/** The reason of a rejected assertion, and the owner of the passkey if known. */
export interface PasskeyFailure {
  userId: UserId | null
  reason: 'challenge' | 'unknown' | 'second_factor_only' | 'invalid' | 'cloned'
}

/** The result of a verified assertion. */
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
 * Returns the WebAuthn user handle: the bytes of the account's ID, without personal data (WebAuthn Level 3, section 14.6.1). It differs per
 * restriction, because an authenticator replaces a passkey with the same handle.
 */
export const userHandleOf = (userId: UserId, restrictedTo: TeamId | null): string =>
  Buffer.from(`${userId}${restrictedTo ?? ''}`.replaceAll('-', ''), 'hex').toString('base64url')

interface Expected {
  use: ChallengeFor
  /** The scope in which it must be valid; undefined if the assertion identifies the account. */
  scope?: FactorScope
  /** The passkey is the only credential: it must be allowed to sign in alone, return its user handle and have verified the user. */
  alone: boolean
  origin: RequestOrigin
}

/**
 * Verifies a passkey assertion, redeems its challenge, and locks the account. If the signature counter indicates a clone, records it and
 * notifies the owner. Runs in the caller's transaction.
 */
export async function verifyPasskey(
  tx: Transaction,
  deps: FactorDeps,
  answer: AssertionResponse,
  { use, scope, alone, origin }: Expected,
): Promise<PasskeyProof | PasskeyFailure> {
  const challenge = clientDataOf(answer)?.challenge
  if (challenge === undefined || !(await useChallenge(tx, deps, use, challenge)))
    return { userId: null, reason: 'challenge' }
  const credentialId = Buffer.from(answer.id, 'base64url')
  const found = await findPasskey(tx, credentialId)
  if (!found || (scope && found.userId !== scope.userId)) return { userId: null, reason: 'unknown' }
  const user = await lockUser(tx, found.userId)
  // Read again under the lock, because its counter may have increased meanwhile.
  const passkey = user && (await findPasskey(tx, credentialId))
  if (!passkey) return { userId: null, reason: 'unknown' }
  if (scope && !(await validFactors(tx, scope)).some(({ id }) => id === passkey.factorId))
    return { userId: null, reason: 'unknown' }
  if (alone && !passkey.signsIn) return { userId: user.id, reason: 'second_factor_only' }

  const verified = await verifyAssertion(relyingPartyOf(deps.config.frontendUrl), challenge, answer, passkey, {
    alone,
    userHandle: userHandleOf(user.id, passkey.restrictedTo),
  }).catch((error: unknown) => {
    if (error instanceof PasskeyRejected) return undefined
    throw error
  })
  if (!verified) return { userId: user.id, reason: 'invalid' }
  if (verified.cloned) {
    await reportClone(tx, deps, user, passkey, origin)
    return { userId: user.id, reason: 'cloned' }
  }
  await recordPasskeyUse(tx, deps.clock, passkey.factorId, verified)
  return {
    user,
    restrictedTo: passkey.restrictedTo,
    temporarySetBy: passkey.temporarySetBy,
    userVerified: verified.userVerified,
    factor: { id: passkey.factorId, type: 'PASSKEY', amr: methodsOf(passkey, verified.userVerified) },
  }
}

/** Returns the authentication methods (RFC 8176) of a device-bound (`hwk`) or synchronized (`swk`) passkey, with `user` after user verification. */
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
