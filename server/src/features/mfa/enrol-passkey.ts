import { eq } from 'drizzle-orm'
import { uuidv7 } from '../../platform/crypto/random.js'
import type { SessionActor } from '../../platform/http/actor.js'
import type { FactorId } from '../../platform/ids.js'
import {
  askToCreate,
  authenticatorName,
  clientDataOf,
  judgeRegistration,
  type NewPasskey,
  PasskeyRefused,
  type RegistrationAnswer,
  relyingPartyOf,
} from '../../protocols/webauthn/index.js'
import type { User } from '../identities/index.js'
import { addMethods, refuseWhileConfined } from '../sessions/index.js'
import { readSettings } from '../settings/index.js'
import { passkeysOf } from './ask-for-passkey.js'
import { backupCodesLeft, newBackupCodes, setBackupCodes } from './backup-codes.js'
import { changeFactors } from './change-factors.js'
import type { FactorDeps } from './deps.js'
import { refusal } from './errors.js'
import { methodsOf, userHandleOf } from './judge-passkey.js'
import { sendFactorMail } from './mails.js'
import { newChallenge, useChallenge } from './passkey-challenge.js'
import { settleFactors } from './settle-factors.js'
import { refuseTooMany } from './start-totp.js'
import { factors, passkeys } from './tables.js'

const useOf = ({ userId, sessionId }: SessionActor) => ({ purpose: 'enrol', boundTo: [userId, sessionId] }) as const

/** What the browser is to make a passkey by. Nothing is stored. @throws team_sign_in_required */
export function offerPasskey(deps: FactorDeps, actor: SessionActor) {
  return deps.db.transaction(async (tx) => {
    await refuseWhileConfined(tx, actor)
    const { email, own } = actor.user
    const displayName = [own.firstName, own.lastName].filter(Boolean).join(' ') || email
    const { name } = await readSettings(tx)
    const user = { id: userHandleOf(actor.userId), name: email, displayName }
    const known = await passkeysOf(tx, deps, actor.userId)
    return askToCreate(relyingPartyOf(deps.config.frontendUrl), newChallenge(deps, useOf(actor)), name, user, known)
  })
}

/**
 * Makes a passkey a factor of the caller, which also signs in by itself wherever it verifies its user. The first factor of an account
 * comes with backup codes.
 * @throws passkey_invalid, passkey_exists, too_many_factors, reauthentication_required, team_sign_in_required
 */
export async function enrolPasskey(
  deps: FactorDeps,
  actor: SessionActor,
  answer: RegistrationAnswer,
  name: string | undefined,
): Promise<{ methodId: FactorId; backupCodes: string[] | undefined }> {
  const challenge = clientDataOf(answer)?.challenge ?? ''
  const done = await changeFactors(deps, actor, async (tx, user) => {
    await refuseTooMany(tx, deps, user.id)
    const open = await useChallenge(tx, deps, useOf(actor), challenge)
    const judged = open
      ? await judgeRegistration(relyingPartyOf(deps.config.frontendUrl), challenge, answer).catch(asRefused)
      : new PasskeyRefused('The challenge is not open')
    const added = judged instanceof PasskeyRefused ? undefined : await add(tx, user, judged)
    if (added) return { added }
    await deps.audit.record(tx, actor, 'factor.enrolled', {
      result: 'FAILURE',
      resource: `user:${user.id}`,
      metadata: { type: 'PASSKEY' },
    })
    return { refused: judged }
  })
  if (done.added) return done.added
  const { refused } = done
  throw refused instanceof PasskeyRefused
    ? refusal('passkey_invalid', { status: 400, cause: refused })
    : refusal('passkey_exists')

  /** Undefined where somebody has this credential already. */
  async function add(tx: Parameters<typeof settleFactors>[0], user: User, passkey: NewPasskey) {
    const { clock, audit } = deps
    const methodId = uuidv7<FactorId>(clock)
    const called = name ?? authenticatorName(passkey.aaguid) ?? 'Passkey'
    const { userVerified, ...stored } = passkey
    await tx.insert(factors).values({
      id: methodId,
      userId: user.id,
      type: 'PASSKEY',
      name: called,
      verifiedAt: clock.now(),
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
    const isFirst = !user.secondFactorSince
    const backupCodes = isFirst && (await backupCodesLeft(tx, user.id)) === 0 ? newBackupCodes() : undefined
    if (backupCodes) await setBackupCodes(tx, deps, user.id, backupCodes)
    await settleFactors(tx, deps, user)
    await addMethods(tx, actor.sessionId, methodsOf(passkey, passkey.userVerified))
    await audit.record(tx, actor, 'factor.enrolled', {
      resource: `factor:${methodId}`,
      metadata: { type: 'PASSKEY', name: called, userVerified, backedUp: passkey.backedUp },
    })
    await sendFactorMail(tx, deps, user.email, actor.origin, { change: 'added', name: called })
    return { methodId, backupCodes }
  }
}

const asRefused = (error: unknown): PasskeyRefused => {
  if (error instanceof PasskeyRefused) return error
  throw error
}
