import { eq } from 'drizzle-orm'
import type { SessionActor } from '../../../platform/http/actor.js'
import { type FactorId, parseId } from '../../../platform/ids.js'
import { causeOfSession } from '../../../platform/mail/mailer.js'
import { matchingStep } from '../../../protocols/totp/index.js'
import { changeFactors } from '../change-factors.js'
import type { FactorDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { findFactor } from '../factor-repository.js'
import { finishEnrollment, restrictionOfNew } from '../finish-enrollment.js'
import { sendFactorMail } from '../mails.js'
import { totpSecrets } from '../tables.js'
import { readCode } from '../typed-code.js'
import { scopeOf } from '../valid-factors.js'
import { contextOfSecret } from '../verify-code.js'
import { contextOfCodes } from './start-totp.js'

/**
 * Completes the enrollment of an authenticator app with its first code, which stays valid for one challenge. Returns the backup codes of the
 * enrollment, unless the account got others meanwhile.
 * @throws mfa_invalid, factor_not_found (also for a completed enrollment), reauthentication_required, second_factor_required
 */
export async function verifyTotp(
  deps: FactorDeps,
  actor: SessionActor,
  methodId: string,
  typed: string,
): Promise<string[] | undefined> {
  const { clock, audit, envelope } = deps
  const code = readCode({ code: typed })
  const done = await changeFactors(deps, actor, async (tx, user, session) => {
    const id = parseId<FactorId>(methodId)
    const found = id && (await findFactor(tx, clock, scopeOf(actor), id))
    if (!found?.totp || found.factor.verifiedAt) throw rejection('factor_not_found')
    const { factor, totp } = found
    const entry = { resource: `factor:${factor.id}`, metadata: { type: 'TOTP', name: factor.name } }
    const secret = envelope.open(totp.sealedSecret, contextOfSecret(factor.id)).toString()
    if (matchingStep(secret, code, clock.ms()) === undefined) {
      await audit.record(tx, actor, 'factor.enrolled', { ...entry, result: 'FAILURE' })
      return { right: false }
    }
    await tx.update(totpSecrets).set({ sealedBackupCodes: null }).where(eq(totpSecrets.factorId, factor.id))
    const shown = totp.sealedBackupCodes
    const backupCodes = await finishEnrollment(tx, deps, actor, user, session, {
      id: factor.id,
      restrictedTo: factor.restrictedToTeamId ?? (await restrictionOfNew(tx, actor, session.verified)),
      amr: ['otp', 'mfa'],
      backupCodes: shown
        ? (JSON.parse(envelope.open(shown, contextOfCodes(factor.id)).toString()) as string[])
        : undefined,
    })
    await audit.record(tx, actor, 'factor.enrolled', entry)
    await sendFactorMail(tx, deps, user.email, actor.origin, {
      change: 'added',
      name: factor.name,
      cause: causeOfSession(actor.restrictedToTeam),
    })
    return { right: true, backupCodes }
  })
  if (!done.right) throw rejection('mfa_invalid', { status: 400 })
  return done.backupCodes
}
