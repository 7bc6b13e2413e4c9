import { eq } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { SessionActor } from '../../platform/http/actor.js'
import type { FactorId } from '../../platform/ids.js'
import { permissionError } from '../permissions/index.js'
import { addMethods } from '../sessions/index.js'
import { readSettings } from '../settings/index.js'
import { newBackupCodes, setBackupCodes, unusedCodes } from './backup-codes/backup-codes.js'
import { changeFactors, lockChangingSession, requireVerifiedFor } from './change-factors.js'
import type { FactorDeps } from './deps.js'
import { rejection } from './errors.js'
import { isAdaptive, listFactors, requireFactor } from './factor-repository.js'
import { sendOwnFactorMail } from './mails.js'
import { adaptiveUsers, factors } from './tables.js'
import { removeFactors, updateFactorState } from './update-factor-state.js'
import { requiresFactor, scopeOf, type ValidFactor } from './valid-factors.js'

/** Returns the caller's factors; in a restricted session those that are restricted to its team. */
export function readStatus({ db, clock }: FactorDeps, actor: SessionActor) {
  return db.transaction(async (tx) => {
    const listed = await listFactors(tx, clock, scopeOf(actor))
    return {
      enabled: actor.mfa.enabled,
      adaptive: actor.restrictedToTeam === null && (await isAdaptive(tx, actor.userId)),
      backupCodesLeft: await unusedCodes(
        tx,
        listed.map(({ factor }) => factor.id),
      ),
      factors: listed,
    }
  })
}

/** Renames a factor of the caller. @throws factor_not_found, reauthentication_required, second_factor_required */
export function renameFactor(deps: FactorDeps, actor: SessionActor, methodId: string, name: string) {
  return changeFactors(deps, actor, async (tx, _user, session) => {
    const { factor } = await requireFactor(tx, deps.clock, scopeOf(actor), methodId)
    requireVerifiedFor(factor.restrictedToTeamId, session)
    await tx.update(factors).set({ name }).where(eq(factors.id, factor.id))
    await deps.audit.record(tx, actor, 'factor.renamed', {
      resource: `factor:${factor.id}`,
      metadata: { type: factor.type, from: factor.name, to: name },
    })
    return requireFactor(tx, deps.clock, scopeOf(actor), methodId)
  })
}

/**
 * Removes one factor of the caller, or a pending enrollment. With the last one of its restriction, backup codes and pending enrollments are
 * removed too.
 * @throws factor_not_found, mfa_required_here, reauthentication_required, second_factor_required
 */
export async function removeFactor(deps: FactorDeps, actor: SessionActor, methodId: string): Promise<void> {
  await changeFactors(deps, actor, async (tx, user, session) => {
    const { factor } = await requireFactor(tx, deps.clock, scopeOf(actor), methodId)
    const { id, type, name, restrictedToTeamId } = factor
    requireVerifiedFor(restrictedToTeamId, session)
    if (isLast(session.valid, id)) await rejectIfRequired(tx)
    const ofRestriction = session.valid.filter(({ restrictedTo }) => restrictedTo === restrictedToTeamId)
    if (isLast(ofRestriction, id)) await removeFactors(tx, deps, user.id, restrictedToTeamId)
    else {
      await tx.delete(factors).where(eq(factors.id, id))
      await updateFactorState(tx, deps, user.id)
    }
    await deps.audit.record(tx, actor, 'factor.removed', { resource: `factor:${id}`, metadata: { type, name } })
    if (factor.verifiedAt) await sendOwnFactorMail(tx, deps, actor, user, 'removed', name)
  })
}

/**
 * Removes all factors of the caller: in a restricted session those of its team, otherwise the unrestricted ones. Does nothing for an account
 * without factors. Runs in the caller's transaction.
 * @param verifiedNow a factor that this request has verified
 * @throws second_factor_required, mfa_required_here
 */
export async function removeAllFactors(tx: Transaction, deps: FactorDeps, actor: SessionActor, verifiedNow?: FactorId) {
  const { restrictedToTeam } = actor
  const { user, session } = await lockChangingSession(tx, deps.clock, actor, verifiedNow)
  requireVerifiedFor(restrictedToTeam, session)
  if (requiresFactor(session.valid.filter(({ restrictedTo }) => restrictedTo === restrictedToTeam)))
    await rejectIfRequired(tx)
  const { removed, changed } = await removeFactors(tx, deps, user.id, restrictedToTeam)
  if (!changed) return
  await deps.audit.record(tx, actor, 'user.mfa_disabled', { resource: `user:${user.id}`, metadata: { removed } })
  if (removed > 0) await sendOwnFactorMail(tx, deps, actor, user, 'disabled')
}

const isLast = (valid: ValidFactor[], id: FactorId): boolean =>
  requiresFactor(valid) && !requiresFactor(valid.filter((other) => other.id !== id))

/** Rejects the removal of the last factor if the instance requires one. Runs in the caller's transaction. @throws mfa_required_here */
async function rejectIfRequired(tx: Transaction): Promise<void> {
  if ((await readSettings(tx)).mfaRequired) throw rejection('mfa_required_here')
}

/**
 * Creates ten backup codes of the session's restriction and revokes earlier ones.
 * @throws mfa_not_enabled, reauthentication_required, second_factor_required
 */
export function regenerateBackupCodes(deps: FactorDeps, actor: SessionActor): Promise<string[]> {
  return changeFactors(deps, actor, async (tx, user, session) => {
    const own = session.valid.filter(({ type }) => type !== 'BACKUP_CODE')
    // In an unrestricted session: unrestricted codes, unless all factors are restricted to its team.
    const found = own.find(({ restrictedTo }) => restrictedTo === actor.restrictedToTeam) ?? own[0]
    if (!found || (actor.restrictedToTeam && !found.restrictedTo)) throw rejection('mfa_not_enabled')
    const { restrictedTo } = found
    requireVerifiedFor(restrictedTo, session)
    const codes = newBackupCodes()
    const { temporarySetBy } = session
    const id = await setBackupCodes(tx, deps, user, { restrictedTo, temporarySetBy }, codes)
    await addMethods(tx, actor.sessionId, [], [id])
    await deps.audit.record(tx, actor, 'factor.backup_codes_renewed', { resource: `user:${user.id}` })
    await sendOwnFactorMail(tx, deps, actor, user, 'codes_renewed')
    return codes
  })
}

/**
 * Turns adaptive challenges of the caller on or off: a factor is required only at unusual sign-ins. Applies to unrestricted sign-ins, because
 * restricted ones do not make a device known.
 * @throws reauthentication_required, second_factor_required, team_sign_in_required
 */
export async function toggleAdaptive(deps: FactorDeps, actor: SessionActor, enabled: boolean): Promise<void> {
  const { clock, audit } = deps
  if (actor.restrictedToTeam) throw permissionError('team_sign_in_required')
  await changeFactors(deps, actor, async (tx, user, session) => {
    requireVerifiedFor(null, session)
    if ((await isAdaptive(tx, user.id)) === enabled) return
    if (enabled) await tx.insert(adaptiveUsers).values({ userId: user.id, since: clock.now() })
    else await tx.delete(adaptiveUsers).where(eq(adaptiveUsers.userId, user.id))
    await audit.record(tx, actor, 'user.adaptive_mfa_changed', { resource: `user:${user.id}`, metadata: { enabled } })
    await sendOwnFactorMail(tx, deps, actor, user, enabled ? 'adaptive_on' : 'adaptive_off')
  })
}
