import type { SessionActor } from '../../platform/http/actor.js'
import { newBackupCodes, setBackupCodes } from './backup-codes.js'
import { changeFactors } from './change-factors.js'
import type { FactorDeps } from './deps.js'
import { refusal } from './errors.js'
import { sendFactorMail } from './mails.js'

/** Ten new codes; every earlier one is dead. @throws mfa_not_enabled, reauthentication_required, team_sign_in_required */
export function regenerateBackupCodes(deps: FactorDeps, actor: SessionActor): Promise<string[]> {
  return changeFactors(deps, actor, async (tx, user) => {
    if (!user.secondFactorSince) throw refusal('mfa_not_enabled')
    const codes = newBackupCodes()
    await setBackupCodes(tx, deps, user.id, codes)
    await deps.audit.record(tx, actor, 'factor.backup_codes_renewed', { resource: `user:${user.id}` })
    await sendFactorMail(tx, deps, user.email, actor.origin, { change: 'codes_renewed' })
    return codes
  })
}
