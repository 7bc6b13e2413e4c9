import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { FactorId, OriginId, TeamId, UserId } from '../../../platform/ids.js'
import { causeOfSession } from '../../../platform/mail/mailer.js'
import {
  type AssertionResponse,
  assertionOptions,
  clientDataOf,
  type KnownCredential,
  PasskeyRejected,
  relyingPartyOf,
  verifyAssertion,
} from '../../../protocols/webauthn/index.js'
import { logTeamOf } from '../../members/index.js'
import { lockUser, type User } from '../../users/index.js'
import type { FactorDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { findPasskey, type Passkey, recordPasskeyUse } from '../factor-repository.js'
import { sendFactorMail } from '../mails.js'
import { type FactorScope, validFactors } from '../valid-factors.js'
import type { UsedFactor } from '../verify-code.js'
import { type ChallengeBinding, newChallenge, redeemChallenge } from './passkey-challenge.js'

const passkeysIn = namedQuery<{ credentialId: Buffer; transports: string[] }, [FactorId[]]>(
  'mfa.passkeys_in',
  'SELECT credential_id AS "credentialId", transports FROM passkeys WHERE factor_id = ANY($1) ORDER BY factor_id',
)

/** Returns the credential descriptors of the passkeys that are valid in the team. Runs in the caller's transaction. */
export async function passkeysOf(tx: Transaction, scope: FactorScope): Promise<KnownCredential[]> {
  const valid = await validFactors(tx, scope)
  const passkeys = await tx.run(passkeysIn, [valid.map(({ id }) => id)])
  return passkeys.map(({ credentialId, transports }) => ({
    id: credentialId.toString('base64url'),
    type: 'public-key' as const,
    ...(transports.length > 0 && { transports }),
  }))
}

/** Returns WebAuthn request options for the passkeys that are valid in the team. Stateless. Runs in the caller's transaction. @throws no_passkey */
export async function passkeyRequestOptions(
  tx: Transaction,
  deps: FactorDeps,
  scope: FactorScope,
  use: ChallengeBinding,
) {
  const known = await passkeysOf(tx, scope)
  if (known.length === 0) throw rejection('no_passkey')
  return assertionOptions(relyingPartyOf(deps.config.frontendUrl), newChallenge(deps, use), 'preferred', known)
}

export const SIGN_IN: ChallengeBinding = { purpose: 'sign_in', boundTo: [] }

/** Returns WebAuthn request options for any discoverable passkey, which identifies the account. Stateless. */
export const anyPasskeyRequestOptions = (deps: FactorDeps) =>
  assertionOptions(relyingPartyOf(deps.config.frontendUrl), newChallenge(deps, SIGN_IN), 'required', [])

/** The reason for the rejection of an assertion, and the user of the passkey if known. */
interface PasskeyFailure {
  userId: UserId | null
  reason: 'challenge' | 'unknown' | 'second_factor_only' | 'invalid' | 'cloned'
}

/** The result of a verified assertion. */
interface VerifiedPasskey {
  user: User
  factor: UsedFactor
  /** The team that the passkey is restricted to. */
  restrictedTo: TeamId | null
  /** The origin of the session that enrolled the passkey. */
  temporarySetBy: OriginId | null
}

/**
 * Returns the WebAuthn user handle: the bytes of the account's ID, without personal data (WebAuthn Level 3, section 14.6.1). The handle of a
 * restricted passkey also contains the team's ID, because an authenticator replaces a passkey with the same handle.
 */
export const userHandleOf = (userId: UserId, restrictedTo: TeamId | null): string =>
  Buffer.from(`${userId}${restrictedTo ?? ''}`.replaceAll('-', ''), 'hex').toString('base64url')

interface PasskeyRequirements {
  use: ChallengeBinding
  /** The scope in which the passkey must be valid; undefined if the assertion identifies the account. */
  scope?: FactorScope
  /** Requires a passkey that is enrolled for passwordless sign-in, its user handle and user verification. */
  isPasswordless: boolean
  origin: RequestOrigin
}

/**
 * Verifies a passkey assertion, redeems its challenge, and locks the account. If the signature counter indicates a clone, records it and
 * notifies the owner. Runs in the caller's transaction.
 */
export async function verifyPasskey(
  tx: Transaction,
  deps: FactorDeps,
  assertion: AssertionResponse,
  { use, scope, isPasswordless, origin }: PasskeyRequirements,
): Promise<VerifiedPasskey | PasskeyFailure> {
  const challenge = clientDataOf(assertion)?.challenge
  if (challenge === undefined || !(await redeemChallenge(tx, deps, use, challenge)))
    return { userId: null, reason: 'challenge' }
  const credentialId = Buffer.from(assertion.id, 'base64url')
  const found = await findPasskey(tx, credentialId)
  if (!found || (scope && found.userId !== scope.userId)) return { userId: null, reason: 'unknown' }
  const user = await lockUser(tx, found.userId)
  // Read again under the lock, because its counter may have increased meanwhile.
  const passkey = user && (await findPasskey(tx, credentialId))
  if (!passkey) return { userId: null, reason: 'unknown' }
  if (scope && !(await validFactors(tx, scope)).some(({ id }) => id === passkey.factorId))
    return { userId: null, reason: 'unknown' }
  if (isPasswordless && !passkey.signsIn) return { userId: user.id, reason: 'second_factor_only' }

  const verified = await verifyAssertion(relyingPartyOf(deps.config.frontendUrl), challenge, assertion, passkey, {
    isPasswordless,
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
    factor: { id: passkey.factorId, type: 'PASSKEY', amr: amrOf(passkey, verified.userVerified) },
  }
}

/** Returns the `amr` values (RFC 8176): `hwk` for a device-bound or `swk` for a synced passkey, and `user` after user verification. */
export const amrOf = ({ backupEligible }: Pick<Passkey, 'backupEligible'>, userVerified: boolean): string[] => [
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
