import QRCode from 'qrcode'
import { uuidv7 } from '../../platform/crypto/random.js'
import type { Transaction } from '../../platform/db/database.js'
import type { SessionActor } from '../../platform/http/actor.js'
import type { FactorId, UserId } from '../../platform/ids.js'
import { newTotpSecret, totpAddress } from '../../protocols/totp/index.js'
import { readSettings } from '../settings/index.js'
import { backupCodesLeft, newBackupCodes } from './backup-codes.js'
import { changeFactors } from './change-factors.js'
import type { FactorDeps } from './deps.js'
import { refusal } from './errors.js'
import { dropStaleEnrolments, listFactors } from './factor-repository.js'
import { contextOfSecret } from './judge-code.js'
import { factors, totpSecrets } from './tables.js'

const MAX_FACTORS = 20
export const contextOfCodes = (id: FactorId): string => `backup-codes:${id}`

export interface StartedTotp {
  methodId: FactorId
  secret: string
  otpAuthUrl: string
  /** A PNG as a `data:` address. */
  qrCode: string
  backupCodes: string[]
}

/**
 * Begins the enrolment of an authenticator app; its first code ends it (`verifyTotp`), within an hour. An account without backup codes is
 * shown ten, which work from then on.
 * @throws reauthentication_required, team_sign_in_required, too_many_factors
 */
export async function startTotp(deps: FactorDeps, actor: SessionActor, name: string): Promise<StartedTotp> {
  const { clock, audit, envelope } = deps
  const started = await changeFactors(deps, actor, async (tx, user) => {
    await refuseTooMany(tx, deps, user.id)
    const methodId = uuidv7<FactorId>(clock)
    const secret = newTotpSecret()
    const backupCodes = (await backupCodesLeft(tx, user.id)) > 0 ? [] : newBackupCodes()
    await tx.insert(factors).values({ id: methodId, userId: user.id, type: 'TOTP', name, createdAt: clock.now() })
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
    return { methodId, secret, otpAuthUrl: totpAddress(secret, { issuer, account: user.email }), backupCodes }
  })
  return { ...started, qrCode: await QRCode.toDataURL(started.otpAuthUrl, { margin: 2, width: 240 }) }
}

/** A step, on a locked account: enrolments that nobody ended are forgotten first. @throws too_many_factors */
export async function refuseTooMany(
  tx: Transaction,
  { clock }: Pick<FactorDeps, 'clock'>,
  userId: UserId,
): Promise<void> {
  await dropStaleEnrolments(tx, clock, userId)
  const all = await listFactors(tx, clock, userId)
  if (all.filter(({ factor }) => factor.type !== 'BACKUP_CODE').length >= MAX_FACTORS) throw refusal('too_many_factors')
}
