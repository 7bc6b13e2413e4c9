import QRCode from 'qrcode'
import { uuidv7 } from '../../../platform/crypto/random.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import type { FactorId, TeamId, UserId } from '../../../platform/ids.js'
import { newTotpSecret, totpUrl } from '../../../protocols/totp/index.js'
import { readSettings } from '../../settings/index.js'
import { backupCodesLeft, newBackupCodes } from '../backup-codes/backup-codes.js'
import { changeFactors } from '../change-factors.js'
import type { FactorDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { countFactors, deleteExpiredEnrollments } from '../factor-repository.js'
import { restrictionOfNew } from '../finish-enrollment.js'
import { factors, totpSecrets } from '../tables.js'
import { contextOfSecret } from '../verify-code.js'

const MAX_FACTORS = 20

/** A black and white image: greyscale without filters reduces it to a third of the bytes and two thirds of the time. */
const QR_CODE = {
  margin: 2,
  width: 240,
  rendererOpts: { colorType: 0, filterType: 0, deflateStrategy: 0, deflateLevel: 6 },
}
export const contextOfCodes = (id: FactorId): string => `backup-codes:${id}`

export interface StartedTotp {
  methodId: FactorId
  secret: string
  otpAuthUrl: string
  /** A PNG as a `data:` URL. */
  qrCode: string
  backupCodes: string[]
}

/**
 * Starts the enrollment of an authenticator app, which its first code completes within an hour (`verifyTotp`). Returns ten backup codes if the
 * account has none; they are valid once the enrollment is complete.
 * @throws reauthentication_required, second_factor_required, too_many_factors
 */
export async function startTotp(deps: FactorDeps, actor: SessionActor, name: string): Promise<StartedTotp> {
  const { clock, audit, envelope } = deps
  const started = await changeFactors(deps, actor, async (tx, user, session) => {
    const restrictedTo = await restrictionOfNew(tx, actor, session.verified)
    await rejectTooMany(tx, deps, user.id, restrictedTo)
    const methodId = uuidv7<FactorId>(clock)
    const secret = newTotpSecret()
    const backupCodes = (await backupCodesLeft(tx, user, restrictedTo)) > 0 ? [] : newBackupCodes()
    await tx.insert(factors).values({
      id: methodId,
      userId: user.id,
      type: 'TOTP',
      name,
      // The restriction of an enrollment in an unrestricted session is decided at its completion.
      restrictedToTeamId: actor.restrictedToTeam,
      temporarySetBy: session.temporarySetBy,
      enrolledInSessionId: actor.sessionId,
      epoch: user.epoch,
      createdAt: clock.now(),
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
 * Rejects more factors of one restriction than the maximum, after deleting expired enrollments. Runs in the caller's transaction, which has
 * locked the account.
 * @throws too_many_factors
 */
export async function rejectTooMany(
  tx: Transaction,
  { clock }: Pick<FactorDeps, 'clock'>,
  userId: UserId,
  restrictedTo: TeamId | null,
): Promise<void> {
  await deleteExpiredEnrollments(tx, clock, userId)
  if ((await countFactors(tx, userId, restrictedTo)) >= MAX_FACTORS) throw rejection('too_many_factors')
}

/** The secrets and the stored backup codes of authenticator apps. */
export const SEALED_TOTP = [
  { id: totpSecrets.factorId, sealed: totpSecrets.sealedSecret, contextOf: contextOfSecret },
  { id: totpSecrets.factorId, sealed: totpSecrets.sealedBackupCodes, contextOf: contextOfCodes },
]
