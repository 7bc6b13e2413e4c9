import { eq } from 'drizzle-orm'
import type { Transaction } from '../../../platform/db/database.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import type { FactorId, TeamId } from '../../../platform/ids.js'
import {
  authenticatorName,
  clientDataOf,
  type NewPasskey,
  PasskeyRejected,
  type RegistrationResponse,
  registrationOptions,
  relyingPartyOf,
  verifyRegistration,
} from '../../../protocols/webauthn/index.js'
import { sessionTerms } from '../../sessions/index.js'
import { readSettings } from '../../settings/index.js'
import type { User } from '../../users/index.js'
import { newBackupCodes } from '../backup-codes/backup-codes.js'
import { type ChangingSession, changeFactors } from '../change-factors.js'
import type { FactorDeps } from '../deps.js'
import { admitEnrollment, finishEnrollment, insertFactor, restrictionOfNew } from '../enrollment.js'
import { rejection } from '../errors.js'
import { factors, passkeys } from '../tables.js'
import { requiresFactor, scopeOf } from '../valid-factors.js'
import { type ChallengeBinding, newChallenge, redeemChallenge } from './passkey-challenge.js'
import { amrOf, passkeysOf, userHandleOf } from './verify-passkey.js'

// Bound to the restriction, because the user handle depends on it.
const useOf = ({ userId, sessionId }: SessionActor, restrictedTo: TeamId | null): ChallengeBinding => ({
  purpose: 'enrol',
  boundTo: [userId, sessionId, restrictedTo ?? ''],
})

/** Returns WebAuthn creation options. Stateless. */
export function passkeyCreationOptions(deps: FactorDeps, actor: SessionActor) {
  return deps.db.transaction(async (tx) => {
    const { email, own } = actor.user
    const displayName = [own.firstName, own.lastName].filter(Boolean).join(' ') || email
    const { name } = await readSettings(tx)
    const { verifiedFactorIds } = await sessionTerms(tx, actor.sessionId)
    const restrictedTo = await restrictionOfNew(tx, actor, verifiedFactorIds)
    const user = { id: userHandleOf(actor.userId, restrictedTo), name: email, displayName }
    const known = await passkeysOf(tx, scopeOf(actor))
    const challenge = newChallenge(deps, useOf(actor, restrictedTo))
    return registrationOptions(relyingPartyOf(deps.config.frontendUrl), challenge, name, user, known)
  })
}

/**
 * Registers a passkey as a factor of the caller. It can also sign in alone if it verifies its user. Returns backup codes with the first
 * factor.
 * @throws passkey_invalid, passkey_exists, too_many_factors, reauthentication_required, second_factor_required
 */
export async function enrollPasskey(
  deps: FactorDeps,
  actor: SessionActor,
  response: RegistrationResponse,
  name: string | undefined,
): Promise<{ methodId: FactorId; backupCodes: string[] | undefined }> {
  const challenge = clientDataOf(response)?.challenge ?? ''
  const result = await changeFactors(deps, actor, async (tx, user, session) => {
    const restrictedTo = await admitEnrollment(tx, deps, actor, session)
    const isValid = await redeemChallenge(tx, deps, useOf(actor, restrictedTo), challenge)
    const verified = isValid
      ? await verifyRegistration(relyingPartyOf(deps.config.frontendUrl), challenge, response).catch(asRejected)
      : new PasskeyRejected('The challenge is not valid')
    const added = verified instanceof PasskeyRejected ? undefined : await add(tx, user, session, restrictedTo, verified)
    if (added) return { added }
    await deps.audit.record(tx, actor, 'factor.enrolled', {
      result: 'FAILURE',
      resource: `user:${user.id}`,
      metadata: { type: 'PASSKEY' },
    })
    return { rejected: verified }
  })
  if (result.added) return result.added
  const { rejected } = result
  throw rejected instanceof PasskeyRejected
    ? rejection('passkey_invalid', { status: 400, cause: rejected })
    : rejection('passkey_exists')

  /** Returns undefined if an account already has this credential. */
  async function add(
    tx: Transaction,
    user: User,
    session: ChangingSession,
    restrictedTo: TeamId | null,
    { userVerified, ...passkey }: NewPasskey,
  ) {
    const type = 'PASSKEY'
    const called = name ?? authenticatorName(passkey.aaguid) ?? 'Passkey'
    const id = await insertFactor(tx, deps, user, session, { type, name: called, restrictedToTeamId: restrictedTo })
    const [inserted] = await tx
      .insert(passkeys)
      .values({ ...passkey, factorId: id, signsIn: true })
      .onConflictDoNothing()
      .returning({ id: passkeys.factorId })
    if (!inserted) {
      await tx.delete(factors).where(eq(factors.id, id))
      return undefined
    }
    const isFirst = !requiresFactor(session.valid.filter((factor) => factor.restrictedTo === restrictedTo))
    const backupCodes = await finishEnrollment(tx, deps, actor, user, session, {
      id,
      type,
      name: called,
      restrictedTo,
      amr: amrOf(passkey, userVerified),
      backupCodes: isFirst ? newBackupCodes() : undefined,
      metadata: { userVerified, backedUp: passkey.backedUp },
    })
    return { methodId: id, backupCodes }
  }
}

const asRejected = (error: unknown): PasskeyRejected => {
  if (error instanceof PasskeyRejected) return error
  throw error
}
