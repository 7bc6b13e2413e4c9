import { eq } from 'drizzle-orm'
import { uuidv7 } from '../../platform/crypto/random.js'
import type { Transaction } from '../../platform/db/database.js'
import type { SessionActor } from '../../platform/http/actor.js'
import type { FactorId, TeamId } from '../../platform/ids.js'
import { disregardEarlierFactors } from '../members/index.js'
import { addMethods, endSessions } from '../sessions/index.js'
import type { User } from '../users/index.js'
import { backupCodesLeft, setBackupCodes } from './backup-codes/backup-codes.js'
import type { ChangingSession } from './change-factors.js'
import type { FactorDeps } from './deps.js'
import { rejection } from './errors.js'
import { countFactors, deleteExpiredEnrollments, type Factor } from './factor-repository.js'
import { sendOwnFactorMail } from './mails.js'
import { factors } from './tables.js'
import { updateFactorState } from './update-factor-state.js'
import { requiresFactor, teamsWithoutVerified } from './valid-factors.js'

const MAX_FACTORS = 20

/**
 * Returns the restriction of a factor that the session enrolls: that of the session. If an unrestricted factor is valid in a team of the user
 * and the session has verified none that is valid there, the new factor is restricted to the session's team, so that it cannot replace the
 * other one. Runs in the caller's transaction.
 */
export async function restrictionOfNew(
  tx: Transaction,
  actor: SessionActor,
  verified: readonly FactorId[],
): Promise<TeamId | null> {
  if (actor.restrictedToTeam) return actor.restrictedToTeam
  const unverified = await teamsWithoutVerified(tx, actor.userId, verified)
  return unverified.some(({ unrestricted }) => unrestricted) ? actor.teamId : null
}

/**
 * Returns the restriction of a factor that the session may enroll, after deleting expired enrollments. Runs in the caller's transaction,
 * which has locked the account.
 * @throws too_many_factors beyond the maximum of this restriction
 */
export async function admitEnrollment(
  tx: Transaction,
  { clock }: FactorDeps,
  actor: SessionActor,
  { verified }: ChangingSession,
): Promise<TeamId | null> {
  const restrictedTo = await restrictionOfNew(tx, actor, verified)
  await deleteExpiredEnrollments(tx, clock, actor.userId)
  if ((await countFactors(tx, actor.userId, restrictedTo)) >= MAX_FACTORS) throw rejection('too_many_factors')
  return restrictedTo
}

/** Inserts a factor with a pending enrollment. Runs in the caller's transaction. */
export async function insertFactor(
  tx: Transaction,
  { clock }: FactorDeps,
  { id: userId, epoch }: User,
  { temporarySetBy }: ChangingSession,
  factor: Pick<typeof factors.$inferInsert, 'type' | 'name' | 'restrictedToTeamId' | 'enrolledInSessionId'>,
): Promise<FactorId> {
  const id = uuidv7<FactorId>(clock)
  await tx.insert(factors).values({ id, userId, epoch, temporarySetBy, createdAt: clock.now(), ...factor })
  return id
}

interface Enrolled extends Pick<Factor, 'id' | 'type' | 'name'> {
  restrictedTo: TeamId | null
  /** Authentication methods (RFC 8176) that the enrollment has verified. */
  amr: string[]
  /** Stored if no backup codes of the same restriction are left. */
  backupCodes: string[] | undefined
  /** Further metadata of the audit entry. */
  metadata?: Record<string, boolean>
}

/**
 * Activates an enrolled factor, which counts as verified in its session, and notifies the user. It is not valid in teams with a factor that
 * the session has not verified. The first factor of its restriction ends the sessions of this restriction that have verified none. Returns
 * the new backup codes, if any. Runs in the caller's transaction, which has locked the account.
 */
export async function finishEnrollment(
  tx: Transaction,
  deps: FactorDeps,
  actor: SessionActor,
  user: User,
  { valid, verified, temporarySetBy }: ChangingSession,
  { id, type, name, restrictedTo, amr, backupCodes, metadata }: Enrolled,
): Promise<string[] | undefined> {
  const { clock, audit } = deps
  const isFirst = !requiresFactor(valid.filter((factor) => factor.restrictedTo === restrictedTo))
  const others = restrictedTo === null ? await teamsWithoutVerified(tx, user.id, verified) : []
  await tx.update(factors).set({ verifiedAt: clock.now(), restrictedToTeamId: restrictedTo }).where(eq(factors.id, id))
  const ids = [id]
  let shown: string[] | undefined
  if (backupCodes && (await backupCodesLeft(tx, user, restrictedTo)) === 0) {
    ids.push(await setBackupCodes(tx, deps, user, { restrictedTo, temporarySetBy }, backupCodes))
    shown = backupCodes
  }
  const elsewhere = others.map(({ teamId }) => teamId).filter((teamId) => teamId !== actor.teamId)
  if (elsewhere.length > 0) await disregardEarlierFactors(tx, user.id, elsewhere, clock.now())
  await updateFactorState(tx, deps, user.id)
  await addMethods(tx, actor.sessionId, amr, ids)
  if (isFirst) {
    const withoutFactor = { restrictedTo, except: actor.sessionId }
    await endSessions(tx, clock, { user: user.id, withoutFactor }, 'second_factor_enrolled')
  }
  await audit.record(tx, actor, 'factor.enrolled', {
    resource: `factor:${id}`,
    metadata: { type, name, ...metadata },
  })
  await sendOwnFactorMail(tx, deps, actor, user, 'added', name)
  return shown
}
