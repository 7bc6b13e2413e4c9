import { eq } from 'drizzle-orm'
import { uuidv7 } from '../../platform/crypto/random.js'
import type { Transaction } from '../../platform/db/database.js'
import type { SessionActor } from '../../platform/http/actor.js'
import type { FactorId, TeamId } from '../../platform/ids.js'
import { causeOfSession } from '../../platform/mail/mailer.js'
import {
  askToCreate,
  authenticatorName,
  clientDataOf,
  type NewPasskey,
  PasskeyRejected,
  type RegistrationAnswer,
  relyingPartyOf,
  verifyRegistration,
} from '../../protocols/webauthn/index.js'
import { sessionTerms } from '../sessions/index.js'
import { readSettings } from '../settings/index.js'
import type { User } from '../users/index.js'
import { passkeysOf } from './ask-for-passkey.js'
import { newBackupCodes } from './backup-codes.js'
import { type ChangingSession, changeFactors } from './change-factors.js'
import type { FactorDeps } from './deps.js'
import { rejection } from './errors.js'
import { finishEnrollment, restrictionOfNew } from './finish-enrollment.js'
import { sendFactorMail } from './mails.js'
import { type ChallengeFor, newChallenge, useChallenge } from './passkey-challenge.js'
import { rejectTooMany } from './start-totp.js'
import { factors, passkeys } from './tables.js'
import { requiresFactor, scopeOf } from './valid-factors.js'
import { methodsOf, userHandleOf } from './verify-passkey.js'

// A passkey whose restriction has changed since the offer would have the handle of another one.
const useOf = ({ userId, sessionId }: SessionActor, restrictedTo: TeamId | null): ChallengeFor => ({
  purpose: 'enrol',
  boundTo: [userId, sessionId, restrictedTo ?? ''],
})

/** Returns the options by which a browser creates a passkey. Nothing is stored. */
export function offerPasskey(deps: FactorDeps, actor: SessionActor) {
  return deps.db.transaction(async (tx) => {
    const { email, own } = actor.user
    const displayName = [own.firstName, own.lastName].filter(Boolean).join(' ') || email
    const { name } = await readSettings(tx)
    const { verifiedFactorIds } = await sessionTerms(tx, actor.sessionId)
    const restrictedTo = await restrictionOfNew(tx, actor, verifiedFactorIds)
    const user = { id: userHandleOf(actor.userId, restrictedTo), name: email, displayName }
    const known = await passkeysOf(tx, scopeOf(actor))
    const challenge = newChallenge(deps, useOf(actor, restrictedTo))
    return askToCreate(relyingPartyOf(deps.config.frontendUrl), challenge, name, user, known)
  })
}

/**
 * Makes a passkey a factor of the caller, which also signs in by itself wherever it verifies its user. The first factor of an account
 * comes with backup codes.
 * @throws passkey_invalid, passkey_exists, too_many_factors, reauthentication_required, second_factor_required
 */
export async function enrolPasskey(
  deps: FactorDeps,
  actor: SessionActor,
  answer: RegistrationAnswer,
  name: string | undefined,
): Promise<{ methodId: FactorId; backupCodes: string[] | undefined }> {
  const challenge = clientDataOf(answer)?.challenge ?? ''
  const done = await changeFactors(deps, actor, async (tx, user, session) => {
    const restrictedTo = await restrictionOfNew(tx, actor, session.verified)
    await rejectTooMany(tx, deps, user.id, restrictedTo)
    const open = await useChallenge(tx, deps, useOf(actor, restrictedTo), challenge)
    const judged = open
      ? await verifyRegistration(relyingPartyOf(deps.config.frontendUrl), challenge, answer).catch(asRejected)
      : new PasskeyRejected('The challenge is not open')
    const added = judged instanceof PasskeyRejected ? undefined : await add(tx, user, session, restrictedTo, judged)
    if (added) return { added }
    await deps.audit.record(tx, actor, 'factor.enrolled', {
      result: 'FAILURE',
      resource: `user:${user.id}`,
      metadata: { type: 'PASSKEY' },
    })
    return { rejected: judged }
  })
  if (done.added) return done.added
  const { rejected } = done
  throw rejected instanceof PasskeyRejected
    ? rejection('passkey_invalid', { status: 400, cause: rejected })
    : rejection('passkey_exists')

  /** Undefined where somebody has this credential already. */
  async function add(
    tx: Transaction,
    user: User,
    session: ChangingSession,
    restrictedTo: TeamId | null,
    passkey: NewPasskey,
  ) {
    const { clock, audit } = deps
    const methodId = uuidv7<FactorId>(clock)
    const called = name ?? authenticatorName(passkey.aaguid) ?? 'Passkey'
    const { userVerified, ...stored } = passkey
    await tx.insert(factors).values({
      id: methodId,
      userId: user.id,
      type: 'PASSKEY',
      name: called,
      restrictedToTeamId: restrictedTo,
      temporarySetBy: session.temporarySetBy,
      epoch: user.epoch,
      createdAt: clock.now(),
    })
    const [inserted] = await tx
      .insert(passkeys)
      .values({ ...stored, factorId: methodId, signsIn: true })
      .onConflictDoNothing()
      .returning({ id: passkeys.factorId })
    if (!inserted) {
      await tx.delete(factors).where(eq(factors.id, methodId))
      return undefined
    }
    const isFirst = !requiresFactor(session.valid.filter((factor) => factor.restrictedTo === restrictedTo))
    const backupCodes = await finishEnrollment(tx, deps, actor, user, session, {
      id: methodId,
      restrictedTo,
      amr: methodsOf(passkey, passkey.userVerified),
      backupCodes: isFirst ? newBackupCodes() : undefined,
    })
    await audit.record(tx, actor, 'factor.enrolled', {
      resource: `factor:${methodId}`,
      metadata: { type: 'PASSKEY', name: called, userVerified, backedUp: passkey.backedUp },
    })
    await sendFactorMail(tx, deps, user.email, actor.origin, {
      change: 'added',
      name: called,
      cause: causeOfSession(actor.restrictedToTeam),
    })
    return { methodId, backupCodes }
  }
}

const asRejected = (error: unknown): PasskeyRejected => {
  if (error instanceof PasskeyRejected) return error
  throw error
}
