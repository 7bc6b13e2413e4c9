import type { SessionActor } from '../../../platform/http/actor.js'
import { causeOfSession } from '../../../platform/mail/mailer.js'
import { addMethods } from '../../sessions/index.js'
import { changeFactors, requireVerifiedFor } from '../change-factors.js'
import type { FactorDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { sendFactorMail } from '../mails.js'
import { newBackupCodes, setBackupCodes } from './backup-codes.js'

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
    await sendFactorMail(tx, deps, user.email, actor.origin, {
      change: 'codes_renewed',
      cause: causeOfSession(actor.restrictedToTeam),
    })
    return codes
  })
}
