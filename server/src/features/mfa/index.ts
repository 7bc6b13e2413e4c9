/**
 * Second factors: authenticator apps (TOTP, RFC 6238), passkeys (WebAuthn) and backup codes.
 *
 * - `totp/`, `passkeys/`, `backup-codes/`: enrollment and verification of each kind.
 *
 * Also the list, names, removal and maximum number (`enrollment.ts`) of factors, and which of them are valid in a team
 * (`valid-factors.ts`).
 * Not here: when a factor is required and what a correct one allows (authentication), passwords (passwords).
 * Tables: factors, totp_secrets, passkeys, backup_codes, answered_challenges, adaptive_users. Errors: mfa_invalid, mfa_expired,
 * passkey_invalid, passkey_exists, no_passkey, mfa_not_enabled, mfa_required_here, factor_not_found, too_many_factors. Audit: factor.*,
 * user.adaptive_mfa_changed, user.mfa_disabled.
 */
import { purgeJob } from '../../platform/jobs/purge-job.js'
import type { Module } from '../../platform/module.js'
import type { FactorDeps } from './deps.js'
import { MFA_ERRORS } from './errors.js'
import { FACTOR_RETENTION } from './factor-repository.js'
import { factorMail } from './mails.js'
import { readStatus } from './manage-factors.js'
import { factorRoutes } from './routes.js'
import { presentFactor } from './schema.js'

export { requireUnrestrictedFactor } from './change-factors.js'
export type { FactorDeps } from './deps.js'
export { rejection as mfaError } from './errors.js'
export { FACTOR_RETENTION, type FactorType, isAdaptive, moveEnrollments } from './factor-repository.js'
export { sendFactorMail } from './mails.js'
export { removeAllFactors } from './manage-factors.js'
export type { ChallengeBinding } from './passkeys/passkey-challenge.js'
export { anyPasskeyRequestOptions, passkeyRequestOptions, SIGN_IN, verifyPasskey } from './passkeys/verify-passkey.js'
export { AssertionCredential, PasskeyRequest, Success, TypedCodeString } from './schema.js'
export { SEALED_TOTP } from './totp/enroll-totp.js'
export {
  deleteFactors,
  endTemporaryFactors,
  removeFactors,
  removeFactorsNotCreatedIn,
  resetFactorsInTeam,
  updateFactorState,
} from './update-factor-state.js'
export {
  type FactorScope,
  hasVerified,
  isValidInTeam,
  reauthenticationScope,
  requiresFactor,
  scopeOf,
  unrestrictedFactors,
  type ValidFactor,
  validFactors,
} from './valid-factors.js'
export { readCode, type TypedCode, type UsedFactor, verifyCode } from './verify-code.js'

export const createMfa = (deps: FactorDeps): Module => ({
  routes: factorRoutes(deps),
  jobs: [purgeJob(deps, 'mfa.purge', FACTOR_RETENTION)],
  errors: MFA_ERRORS,
  mails: [factorMail],
  accountData: { factors: async (actor) => (await readStatus(deps, actor)).factors.map(presentFactor) },
})
