import { eq } from 'drizzle-orm'
import QRCode from 'qrcode'
import type { SealedColumn } from '../../../platform/crypto/rewrap-column.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import type { FactorId } from '../../../platform/ids.js'
import { matchingStep, newTotpSecret, totpUrl } from '../../../protocols/totp/index.js'
import { readSettings } from '../../settings/index.js'
import { backupCodesLeft, newBackupCodes } from '../backup-codes/backup-codes.js'
import { changeFactors } from '../change-factors.js'
import type { FactorDeps } from '../deps.js'
import { admitEnrollment, finishEnrollment, insertFactor, restrictionOfNew } from '../enrollment.js'
import { rejection } from '../errors.js'
import { requireFactor } from '../factor-repository.js'
import { totpSecrets } from '../tables.js'
import { scopeOf } from '../valid-factors.js'
import { contextOfSecret, readCode } from '../verify-code.js'

/** A black and white image: greyscale without filters reduces it to a third of the bytes and two thirds of the time. */
const QR_CODE = {
  margin: 2,
  width: 240,
  rendererOpts: { colorType: 0, filterType: 0, deflateStrategy: 0, deflateLevel: 6 },
}
const contextOfCodes = (id: FactorId): string => `backup-codes:${id}`

/**
 * Starts the enrollment of an authenticator app, which its first code completes within an hour (`verifyTotp`). Returns ten backup codes if the
 * account has none; they are valid once the enrollment is complete. The QR code is a PNG as a `data:` URL.
 * @throws reauthentication_required, second_factor_required, too_many_factors
 */
export async function startTotp(deps: FactorDeps, actor: SessionActor, name: string) {
  const { audit, envelope } = deps
  const started = await changeFactors(deps, actor, async (tx, user, session) => {
    const restrictedTo = await admitEnrollment(tx, deps, actor, session)
    const secret = newTotpSecret()
    const backupCodes = (await backupCodesLeft(tx, user, restrictedTo)) > 0 ? [] : newBackupCodes()
    const methodId = await insertFactor(tx, deps, user, session, {
      type: 'TOTP',
      name,
      // The restriction of an enrollment in an unrestricted session is decided at its completion.
      restrictedToTeamId: actor.restrictedToTeam,
      enrolledInSessionId: actor.sessionId,
    })
    await tx.insert(totpSecrets).values({
      factorId: methodId,
      sealedSecret: envelope.seal(Buffer.from(secret), contextOfSecret(methodId)),
      sealedBackupCodes:
        backupCodes.length > 0
          ? envelope.seal(Buffer.from(JSON.stringify(backupCodes)), contextOfCodes(methodId))
          : null,
    })
    await audit.record(tx, actor, 'factor.enrollment_started', {
      resource: `factor:${methodId}`,
      metadata: { type: 'TOTP', name },
    })
    const { name: issuer } = await readSettings(tx)
    return { methodId, secret, otpAuthUrl: totpUrl(secret, { issuer, account: user.email }), backupCodes }
  })
  return { ...started, qrCode: await QRCode.toDataURL(started.otpAuthUrl, QR_CODE) }
}

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
  const result = await changeFactors(deps, actor, async (tx, user, session) => {
    const { factor, totp } = await requireFactor(tx, clock, scopeOf(actor), methodId)
    if (!totp || factor.verifiedAt) throw rejection('factor_not_found')
    const { id, type, name } = factor
    const secret = envelope.open(totp.sealedSecret, contextOfSecret(id)).toString()
    if (matchingStep(secret, code, clock.ms()) === undefined) {
      const metadata = { type, name }
      await audit.record(tx, actor, 'factor.enrolled', { result: 'FAILURE', resource: `factor:${id}`, metadata })
      return { isCorrect: false }
    }
    await tx.update(totpSecrets).set({ sealedBackupCodes: null }).where(eq(totpSecrets.factorId, id))
    const sealed = totp.sealedBackupCodes
    const backupCodes = await finishEnrollment(tx, deps, actor, user, session, {
      id,
      type,
      name,
      restrictedTo: factor.restrictedToTeamId ?? (await restrictionOfNew(tx, actor, session.verified)),
      amr: ['otp', 'mfa'],
      backupCodes: sealed ? (JSON.parse(envelope.open(sealed, contextOfCodes(id)).toString()) as string[]) : undefined,
    })
    return { isCorrect: true, backupCodes }
  })
  if (!result.isCorrect) throw rejection('mfa_invalid', { status: 400 })
  return result.backupCodes
}

/** The columns that `ENCRYPTION_KEY` encrypts: the secrets and the stored backup codes of authenticator apps. */
export const SEALED_TOTP: SealedColumn[] = [
  { id: totpSecrets.factorId, sealed: totpSecrets.sealedSecret, contextOf: contextOfSecret },
  { id: totpSecrets.factorId, sealed: totpSecrets.sealedBackupCodes, contextOf: contextOfCodes },
]
